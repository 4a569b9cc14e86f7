/** `/api/v1/sandbox/carrier`: the binds of the simulated SMS carrier and its address. Sandbox key pairs only. */
import { success } from '../../http/exchange.ts';
import { notSandbox } from '../../http/openapi-parts.ts';
import { answers } from '../../http/route.ts';
import type { RouteModule } from '../../http/server.ts';
import { sandboxCallers } from './sandbox-caller.ts';
import { sandboxCarrier } from './sandbox-shapes.ts';

/** `binds`: the state of each, as it is now. `address`: host and port of its SMPP server. */
export function sandboxCarrierRoute(binds: () => readonly string[], address: string): RouteModule {
  return (_app, { guarded, directory }) =>
    guarded.add({
      method: 'GET',
      path: '/api/v1/sandbox/carrier',
      scope: 'read',
      operationId: 'getSandboxCarrier',
      summary: 'How the gateway is bound to the simulated carrier of texts',
      notFound: notSandbox,
      admits: sandboxCallers(directory).admits,
      answer: answers(sandboxCarrier, 'The state of each bind'),
      work: () => success('How the gateway is bound to the simulated carrier.', { binds: [...binds()], address }),
    });
}
