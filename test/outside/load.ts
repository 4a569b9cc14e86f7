/**
 * What happens beside the faults: texts to ever new numbers, now and then three in a request; replies; and handsets that are
 * written to until they say STOP.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { liveCaller } from '../props/live-records.ts';
import type { Application } from './application.ts';
import type { Carrier } from './carrier.ts';
import type { Reply } from './verdict.ts';

const askEveryMs = 15;
const replyEveryMs = 250;
const talkEveryMs = 60;
/** Requests and replies without an answer. */
const pendingMax = 200;
const talksMax = 150;

export interface Load {
  /** Writes to a handset of the round until it has said STOP and several texts were refused. */
  converse(round: number): Promise<void>;
  /** Resolves once everything is answered. */
  stop(): Promise<{ replies: readonly Reply[]; optedOut: ReadonlyMap<string, number> }>;
}

export function startLoad(carrier: Carrier, application: Application): Load {
  const replies: Reply[] = [];
  const optedOut = new Map<string, number>();
  const pending = new Set<Promise<unknown>>();
  let over = false;
  let numbers = 0;
  const keep = (work: Promise<unknown>): void => {
    const kept = work.finally(() => pending.delete(kept));
    pending.add(kept);
  };
  const next = () => `1415${5_550_000 + numbers++}`;

  async function texts(): Promise<void> {
    for (let count = 0; !over; count += 1, await wait(askEveryMs)) {
      if (pending.size > pendingMax) continue;
      keep(application.ask(Array.from({ length: count % 8 === 0 ? 3 : 1 }, next), `outside text ${count}`));
    }
  }

  async function answers(): Promise<void> {
    for (let count = 0; !over; count += 1, await wait(replyEveryMs)) {
      const reply = { from: next(), text: `reply ${count}` };
      keep(
        carrier.say(reply.from, liveCaller.from, reply.text).then((handed) => replies.push({ ...reply, ...handed })),
      );
    }
  }

  async function converse(round: number): Promise<void> {
    const handset = `1628${String(5_550_000 + round)}`;
    await wait(Math.random() * 3_000);
    let said: Promise<unknown> | null = null;
    for (let [count, refused] = [0, 0]; refused < 5 && count < talksMax; count += 1, await wait(talkEveryMs)) {
      if (count === 10) {
        said = carrier.say(handset, liveCaller.from, 'STOP').then(({ at }) => optedOut.set(handset, at));
      }
      const { refused: reason } = await application.ask([handset], `outside to ${handset} ${count}`);
      if (reason === 'OPTED_OUT') refused += 1;
    }
    await said;
  }

  const running = [texts(), answers()];
  return {
    converse,
    async stop() {
      over = true;
      await Promise.all(running);
      await Promise.all(pending);
      return { replies, optedOut };
    },
  };
}
