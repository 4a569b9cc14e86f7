/**
 * `POST /api/v1/sandbox/reset`: clears the caller's handsets and faults between tests. Stored messages, lists and
 * usage stay. Sandbox key pairs only.
 */
import type { SandboxFaultInjection } from '@heliograph/sandbox/faults';
import type { Handsets } from '@heliograph/sandbox/handsets';
import { success } from '../../http/exchange.ts';
import { notSandbox } from '../../http/openapi-parts.ts';
import { answers, ownBody } from '../../http/route.ts';
import type { RouteModule } from '../../http/server.ts';
import { object } from '../../http/shape.ts';
import { sandboxCallers } from './sandbox-caller.ts';

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
        const answer = success('The handsets are empty and ordinary, and no faults are on.', {}, null);
        return { ...answer, changed: { before, after: { ...faultInjection.faults(accountId) } } };
      },
    });
  };
}
