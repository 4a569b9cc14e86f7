/**
 * `/api/v1/sandbox/carrier`, the binds of the simulated SMS carrier and its address; and `POST /api/v1/sandbox/reset`,
 * which clears the caller's handsets and faults between tests. Stored messages, lists and usage stay. Only for sandbox
 * key pairs.
 */
import type { SandboxFaultInjection } from '@heliograph/sandbox/faults';
import type { Handsets } from '@heliograph/sandbox/handsets';
import { success } from '../../http/exchange.ts';
import { notSandbox } from '../../http/openapi-parts.ts';
import { answers, ownBody } from '../../http/route.ts';
import type { RouteModule } from '../../http/server.ts';
import { object } from '../../http/shape.ts';
import { sandboxCallers } from './sandbox-caller.ts';
import { sandboxCarrier } from './sandbox-shapes.ts';

export function sandboxResetRoute(
  handsets: Pick<Handsets, 'clear'>,
  faultInjection: Pick<SandboxFaultInjection, 'faults' | 'reset'>,
): RouteModule {
  return (_app, { guarded, directory }) => {
    const { admits, ownSenders } = sandboxCallers(directory);
    guarded.add({
      method: 'POST',
      path: '/api/v1/sandbox/reset',
      scope: 'send',
      people: { audit: 'sandbox.reset' },
      operationId: 'resetSandbox',
      summary: 'Empty the handsets, make them ordinary again and end all faults',
      notFound: notSandbox,
      admits,
      body: ownBody(null, { optional: true }),
      answer: answers(object({}), 'Done'),
      work: (call) => {
        const { accountId } = call.caller.account;
        const before = { ...faultInjection.faults(accountId) };
        faultInjection.reset(accountId);
        handsets.clear(ownSenders(call));
        const answer = success('The handsets are empty, behave normally, and no faults are on.', {});
        return { ...answer, changed: { before, after: { ...faultInjection.faults(accountId) } } };
      },
    });
  };
}

/** `binds`: the present state of each. `address`: host and port of its SMPP server. */
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
