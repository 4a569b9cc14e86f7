/** docs/warnings.md explains every line of level `warn` in the sources, and no other. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { warnLines, warnLinesIn } from './warn-lines.ts';

/** Sentences passed to the file that logs them, by that file. */
const handedOver: Readonly<Record<string, string[]>> = {
  'messaging/send-queue/store-retry.ts': [
    'the limits of campaigns wait for the store',
    'what waits for quiet hours waits for the store',
  ],
  // Each is a `msg` of its own with `(again; the newest is shown)`.
  'kernel/summed-log.ts': [],
  // Faults of settings and records, in sentences of their own.
  'app/run.ts': [],
};

const page = readFileSync(new URL('../docs/warnings.md', import.meta.url), 'utf8');
const rows = [...page.matchAll(/^\| `([^`]+)` \| (.+) \| (.+) \|$/gm)];

it('docs/warnings.md explains every line of level warn, and no other', () => {
  const logged = warnLines().flatMap(({ file, messages }) => {
    const handed = handedOver[file.replace('packages/gateway/src/', '')];
    return messages.length > 0 || handed === undefined ? messages : handed;
  });
  const explained = rows.map(([, message]) => message!.replace('…', '')).filter((message) => message !== 'msg');
  expect(explained.length).toBeGreaterThan(60);
  expect(explained.toSorted()).toEqual([...new Set(logged)].sort());
});

it('knows where each sentence comes from that is not where it is logged', () => {
  const without = warnLines().filter(({ messages }) => messages.length === 0);
  const files = without.map(({ file }) => file.replace('packages/gateway/src/', ''));
  expect([...new Set(files)].sort()).toEqual(Object.keys(handedOver).sort());
  for (const message of Object.values(handedOver).flat())
    expect(sourcesOf('createStoreRetry(parts, ')).toContain(`'${message}'`);
});

it('reads the sentences of calls, however they are written', () => {
  const source = `
    logger.warn({ a: f(1, 'x'), b: ')' }, 'one');
    lines.warn('kind', { err }, 'two');
    parts.warn({ campaignId });
    logger.warn({}, isHeld ? 'three' : 'four');
    logger.warn({ x }, \`five: \${why}\`);
    logger.warn({}, said);`;
  expect(warnLinesIn(source)).toEqual([['one'], ['two'], ['three', 'four'], ['five: '], []]);
});

function sourcesOf(call: string): string {
  const files = ['messaging/pace/pace-store.ts', 'messaging/send-queue/quiet-hours.ts'];
  const texts = files.map((file) => readFileSync(new URL(`../packages/gateway/src/${file}`, import.meta.url), 'utf8'));
  expect(texts.every((text) => text.includes(call))).toBe(true);
  return texts.join('\n');
}
