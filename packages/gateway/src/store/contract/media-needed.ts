/** Contract: which media are needed, compared with a model, over random messages and links that share some media. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hour, minute, type StoreFactory, start } from './fixture.ts';
import { mediaLink, medium, mmsItem, queuedMedia } from './media-fixture.ts';
import { useWorld, type World } from './world.ts';

/** Media that the messages and links of one run share. */
const names = ['a', 'b', 'c', 'd', 'e'];
const ends = ['queued', 'canceled', 'sending', 'retried', 'uncertain', 'sent', 'failed'] as const;
const undone: readonly string[] = ['queued', 'sending', 'retried', 'uncertain'];

const minutes = fc.integer({ min: 0, max: 3 });
/** `at`: minutes after the start; each recipient has one final state. */
const messageArbitrary = fc.record({
  at: minutes,
  original: fc.subarray(names, { minLength: 1 }),
  fitted: fc.subarray(names),
  ends: fc.array(fc.constantFrom(...ends), { minLength: 1, maxLength: 3 }),
  isPrepared: fc.boolean(),
});
const linkArbitrary = fc.record({ name: fc.constantFrom(...names), until: minutes });
const caseArbitrary = fc.record({
  messages: fc.array(messageArbitrary, { maxLength: 8 }),
  links: fc.array(linkArbitrary, { maxLength: 4 }),
  now: minutes,
  keptSince: minutes,
  limit: fc.integer({ min: 1, max: 9 }),
});
type Case = typeof caseArbitrary extends fc.Arbitrary<infer T> ? T : never;

/** Each recipient has its own lane and is settled as the case says. */
async function store(world: World, run: string, message: Case['messages'][number], index: number): Promise<void> {
  const item = mmsItem(start + message.at * minute, { recipients: message.ends.map((_, n) => `1415555010${n}`) });
  item.deliveries.forEach((delivery, n) => {
    delivery.lane = `${run}-${index}-${n}`;
  });
  await world.store.accept([item]);
  const media = (kept: string[]) => kept.map((name) => medium(`${run}${name}`));
  const lists = { original: media(message.original), fitted: [{ budgetBytes: 300, media: media(message.fitted) }] };
  if (message.isPrepared) await world.store.prepareMedia([queuedMedia(item, world.clock.now(), lists)]);
  for (const [n, { lane, messageId }] of item.deliveries.entries()) {
    const end = message.ends[n]!;
    if (end === 'canceled') {
      await world.store.decide({ accountId: 'acc1', messageId, to: 'canceled', now: world.clock.now() });
    }
    if (end === 'canceled' || end === 'queued') continue;
    const [claim] = await world.claim(lane);
    const parts = { parts: [], dueAt: start + hour };
    if (!claim || end === 'sending') continue;
    await world.settle(claim, end === 'sent' ? {} : { ...parts, to: end === 'retried' ? 'queued' : end });
  }
}

function model({ messages, links, now, keptSince }: Case): string[] {
  const needed = new Set(links.filter(({ until }) => until > now).map(({ name }) => name));
  for (const message of messages) {
    const isNeeded = message.at >= keptSince || message.ends.some((end) => undone.includes(end));
    if (message.isPrepared && isNeeded) for (const name of [...message.original, ...message.fitted]) needed.add(name);
  }
  return [...needed].sort();
}

export function mediaNeededContract(factory: StoreFactory): void {
  describe('the media that are needed', () => {
    const world = useWorld(factory);

    it('are those of young or unfinished messages and of valid links, before and after a deletion', async () => {
      let runs = 0;
      await fc.assert(
        fc.asyncProperty(caseArbitrary, async (given) => {
          runs += 1;
          const run = `run${runs}`;
          world.clock.set(start + 10 * minute);
          for (const [index, message] of given.messages.entries()) await store(world, run, message, index);
          await world.store.addMediaLinks(
            given.links.map(({ name, until }) =>
              mediaLink(start, { medium: medium(`${run}${name}`), expiresAt: start + until * minute }),
            ),
          );
          const at = { now: start + given.now * minute, keptSince: start + given.keptSince * minute };
          const needed = async () => {
            const hashes = names.map((name) => medium(`${run}${name}`).hash);
            const found = await world.store.neededMedia({ ...at, hashes });
            return names.filter((_, index) => found.includes(hashes[index]!));
          };
          expect(await needed()).toEqual(model(given));
          while (await world.store.forgetMedia({ ...at, limit: given.limit }));
          expect(await needed()).toEqual(model(given));
        }),
        { numRuns: 25 },
      );
    });
  });
}
