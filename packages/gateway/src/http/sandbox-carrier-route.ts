/** `/api/v1/sandbox/carrier`: how the gateway is bound to the simulated carrier of texts, and where that listens. Only sandbox key pairs. */
import { success } from './exchange.ts';
import { forSandboxCallers } from './sandbox-caller.ts';
import type { RouteModule } from './server.ts';

/** `binds`: the state of each, as it is now. `address`: host and port of its SMPP server. */
export function sandboxCarrierRoute(binds: () => readonly string[], address: string): RouteModule {
  return (_app, { guarded, directory }) => {
    const forSandbox = forSandboxCallers(directory);
    guarded.get(
      '/api/v1/sandbox/carrier',
      'read',
      forSandbox(() => success('How the gateway is bound to the simulated carrier.', { binds: binds(), address })),
    );
  };
}
