/**
 * `POST /api/v1/sandbox/reset`: the caller's handsets empty and ordinary, and no faults, as between two tests. Only sandbox
 * key pairs. It touches nothing that is stored: messages, lists and usage stay.
 */

import type { SandboxTrouble } from '@heliograph/sandbox/faults';
import type { Handsets } from '@heliograph/sandbox/handsets';
import { success } from './exchange.ts';
import type { JsonCall } from './guard.ts';
import { forSandboxCallers } from './sandbox-caller.ts';
import type { RouteModule } from './server.ts';

export function sandboxResetRoute(
  handsets: Pick<Handsets, 'clear'>,
  trouble: Pick<SandboxTrouble, 'faults' | 'reset'>,
): RouteModule {
  return (_app, { guarded, directory }) =>
    guarded.act(
      '/api/v1/sandbox/reset',
      'send',
      forSandboxCallers(directory)<JsonCall>(({ caller }, isOwn) => {
        const { accountId } = caller.account;
        const before = { ...trouble.faults(accountId) };
        trouble.reset(accountId);
        handsets.clear(isOwn);
        const answer = success('The handsets are empty and ordinary, and no faults are on.', {}, null);
        return { ...answer, changed: { before, after: { ...trouble.faults(accountId) } } };
      }),
    );
}
