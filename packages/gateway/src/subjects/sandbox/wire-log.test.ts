import { describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { movedClock } from '../../../../../test/props/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import { createWireLog, defaultWireLimits, type WireLimits } from './wire-log.ts';

function log(limits: Partial<WireLimits> = {}) {
  const clock = movedClock();
  const ids = createIds(clock, steadyRandom());
  const wire = createWireLog({ clock, ids }, { ...defaultWireLimits, ...limits });
  const say = (handset: string, command: string, more = {}) =>
    wire.add({ link: 'smpp', direction: 'to_carrier', command, own: '1', handset, ...more });
  const commands = async (handset: string | null = null, after?: string) => {
    const found = await wire.list({ handset, waitMs: 0, ...(after !== undefined && { after }) });
    return found === 'full' ? ['full'] : found.map(({ command }) => command);
  };
  return { wire, say, commands, clock };
}

describe('the wire log', () => {
  it('keeps the latest of a pair', async () => {
    const { say, commands } = log({ entriesPerPairMax: 2 });
    for (const command of ['a', 'b', 'c']) say('7', command);
    say('8', 'd');
    expect(await commands()).toEqual(['b', 'c', 'd']);
    expect(await commands('7')).toEqual(['b', 'c']);
  });

  it('forgets the pair that was quiet longest', async () => {
    const { say, commands } = log({ entriesMax: 3 });
    say('7', 'a');
    say('8', 'b');
    say('7', 'c');
    say('9', 'd');
    expect(await commands()).toEqual(['a', 'c', 'd']);
  });

  it('cuts what is long', async () => {
    const { wire, say } = log({ bytesMax: 2, textCharactersMax: 4 });
    say('7', 'a', { text: 'abcdef', bytes: Buffer.from('abcdef') });
    expect(await wire.list({ handset: null, waitMs: 0 })).toMatchObject([{ text: 'abc…', hex: '6162', sizeBytes: 6 }]);
  });

  it('goes on after an id, and says when too many wait', async () => {
    const { wire, say, commands } = log({ waitersMax: 1 });
    say('7', 'a');
    say('7', 'b');
    const [first] = (await wire.list({ handset: null, waitMs: 0 })) as { id: string }[];
    expect(await commands(null, first!.id)).toEqual(['b']);
    const one = wire.list({ handset: '8', waitMs: 1_000, after: first!.id, isOwn: () => false });
    expect(await wire.list({ handset: '8', waitMs: 1_000, after: 'pdu_Z' })).toBe('full');
    wire.endWaits();
    expect(await one).toEqual([]);
  });
});
