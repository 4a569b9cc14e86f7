/** The wait for the judge: it ends when nothing changes any more, and also when something is stuck. */
import { expect, it } from 'vitest';
import { settledLog } from './checker.ts';
import type { LoggedMessage } from './message-log.ts';

const message = (to: string, state: string): LoggedMessage => ({
  messageId: `msg_${to}`,
  to,
  text: '',
  state,
  code: null,
  dupRisk: false,
  events: [],
});

it('reads the log until nothing is under way, and gives up on stuck messages', async () => {
  let reads = 0;
  const log = { all: async () => [message('1', ++reads < 3 ? 'queued' : 'sent')] };
  expect((await settledLog(log, () => 0))[0]!.state).toBe('sent');
  const stuck = { all: async () => [message('1', 'queued')] };
  expect((await settledLog(stuck, () => 0, 1))[0]!.state).toBe('queued');
});
