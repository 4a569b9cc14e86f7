/**
 * `/api/v1/sandbox/demo`: whether a company shows made-up traffic, putting it there and removing it. Only sandbox key pairs.
 */
import { counted } from '../domain/counted.ts';
import type { DemoData, DemoDesk, DemoRefusal } from '../flow/demo-desk.ts';
import { isoTime } from './envelope.ts';
import { type Answer, rejection, success } from './exchange.ts';
import { busy } from './long-poll.ts';
import { forSandboxCallers } from './sandbox-caller.ts';
import type { RouteModule } from './server.ts';

const path = '/api/v1/sandbox/demo';

export function sandboxDemoRoutes(desk: DemoDesk): RouteModule {
  return (_app, { guarded, directory }) => {
    const forSandbox = forSandboxCallers(directory);

    guarded.get(
      path,
      'read',
      forSandbox(async ({ caller: { account } }) => {
        const there = await desk.data(account.accountId);
        return success(there === null ? 'There is no demo traffic.' : 'There is demo traffic.', shownDemo(there), null);
      }),
    );
    guarded.act(
      path,
      'admin',
      forSandbox(async ({ caller: { account } }) => {
        const made = await desk.seed(account);
        if (typeof made === 'string') return refusals[made];
        return success(
          `${counted(made.messages, 'message')} of demo traffic ${made.messages === 1 ? 'was' : 'were'} made up.`,
          shownDemo(made),
          null,
        );
      }),
    );
    guarded.delete(
      path,
      'admin',
      forSandbox(async ({ caller: { account } }) => {
        const removed = await desk.remove(account.accountId);
        if (removed === 'busy') return refusals.busy;
        return success(
          `${counted(removed, 'message')} of demo traffic ${removed === 1 ? 'was' : 'were'} removed.`,
          { removed },
          null,
        );
      }),
    );
  };
}

const refusals: Readonly<Record<DemoRefusal, Answer>> = {
  'live numbers': rejection(
    'INVALID_REQUEST',
    'This company has live numbers: demo traffic would stand beside real traffic. Nothing was changed.',
  ),
  'no number': rejection(
    'SENDER_NOT_ENABLED',
    'No sandbox number of this company may send, so nothing could have been sent. Enable one under Numbers.',
  ),
  'there already': rejection('INVALID_REQUEST', 'There is demo traffic already. Remove it first. Nothing was changed.'),
  busy: busy('Demo traffic is being made or removed at this moment.'),
};

/** Null when there is none. */
export function shownDemo(there: DemoData | null): object | null {
  return there && { messages: there.messages, from: isoTime(there.from), until: isoTime(there.until) };
}
