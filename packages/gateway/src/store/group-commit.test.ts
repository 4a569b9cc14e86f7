import { describe, expect, it } from 'vitest';
import { movedClock } from '../../../../test/props/clock.ts';
import { catalogue } from '../app/modules.ts';
import type { WriteCall } from './catalogue.ts';
import { StoreBroken, StoreUnavailable } from './faults.ts';
import { GroupCommit } from './group-commit.ts';

/** An accept, as far as this class looks at it: one recipient. */
const text = (name: string) => ({ name, deliveries: [{}] });
const setting = (name: string) => ({ name, value: '' });
const claim = (lane: string) => ({ lane, limit: 1, now: 0, token: 1 });

/** Commits that the test completes one by one; a call with an item named `bad` fails. */
function createEngine() {
  const groups: WriteCall[][] = [];
  const gates: (() => void)[] = [];
  let open = true;
  return {
    groups,
    ahead: () => 1,
    enoughRows: 48,
    hold: () => {
      open = false;
    },
    release: () => {
      open = true;
      for (const gate of gates.splice(0)) gate();
    },
    commit: async (calls: readonly WriteCall[]) => {
      groups.push([...calls]);
      if (!open) await new Promise<void>((resolve) => gates.push(resolve));
      for (const { items } of calls) {
        for (const item of items as { name?: string; lane?: string }[]) {
          if (item.name === 'bad') throw new Error('bad item');
          if (item.name === 'full') throw new StoreUnavailable('full', 'disk full');
          if (item.name === 'broken') throw new StoreBroken('disk failed');
        }
      }
      return calls.map(({ items }) =>
        items.map((item) => (item as { name?: string; lane?: string }).name ?? 'claimed'),
      );
    },
  };
}

const shape = (groups: WriteCall[][]) =>
  groups.map((calls) => calls.map(({ kind, items }) => `${kind} ${items.length}`));

describe('GroupCommit', () => {
  it('puts the calls of one tick into one transaction, in the order of kinds, and gives each its own results', async () => {
    const engine = createEngine();
    const groups = new GroupCommit(engine, catalogue);
    const results = await Promise.all([
      groups.enqueue('claim', [claim('c1')]),
      groups.enqueue('putSetting', [setting('a'), setting('b')]),
      groups.enqueue('putSetting', [setting('c')]),
    ]);
    expect(shape(engine.groups)).toEqual([['putSetting 3', 'claim 1']]);
    expect(results).toEqual([['claimed'], ['a', 'b'], ['c']]);
  });

  it('gathers what arrives while a transaction runs, up to its bound', async () => {
    const engine = createEngine();
    const groups = new GroupCommit(engine, catalogue);
    engine.hold();
    const first = groups.enqueue('putSetting', [setting('a')]);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    const others = Array.from({ length: 1_030 }, (_, index) => groups.enqueue('putSetting', [setting(`s${index}`)]));
    engine.release();
    await Promise.all([first, ...others]);
    expect(shape(engine.groups)).toEqual([['putSetting 1'], ['putSetting 512'], ['putSetting 512'], ['putSetting 6']]);
  });

  it('starts the next group before it answers the callers of the previous one', async () => {
    const engine = createEngine();
    const groups = new GroupCommit(engine, catalogue);
    engine.hold();
    let begun = 0;
    const first = groups.enqueue('putSetting', [setting('a')]).then(() => {
      begun = engine.groups.length;
    });
    await new Promise((resolve) => setImmediate(resolve));
    const second = groups.enqueue('putSetting', [setting('b')]);
    engine.release();
    await Promise.all([first, second]);
    expect(begun).toBe(2);
  });

  it('starts at once when there are enough rows, and queues as many groups as the engine takes', async () => {
    const engine = createEngine();
    const groups = new GroupCommit({ ...engine, ahead: () => 2 }, catalogue);
    engine.hold();
    const enough = () => Array.from({ length: 48 }, (_, index) => setting(`s${index}`));
    const calls: Promise<unknown>[] = [];
    for (let call = 0; call < 3; call += 1) {
      calls.push(groups.enqueue('putSetting', enough()), groups.enqueue('claim', [claim('c1')]));
      await Promise.resolve();
    }
    expect(shape(engine.groups)).toEqual([
      ['putSetting 48', 'claim 1'],
      ['putSetting 48', 'claim 1'],
    ]);
    engine.release();
    await Promise.all(calls);
    expect(engine.groups).toHaveLength(3);
  });

  it('passes on the calls of one turn of the event loop, as long as the engine takes more', async () => {
    const engine = createEngine();
    const groups = new GroupCommit({ ...engine, ahead: () => 2 }, catalogue);
    engine.hold();
    const calls = ['a', 'b', 'c', 'd'].map(async (name) => {
      if (name > 'b') await new Promise((resolve) => setImmediate(resolve));
      if (name > 'c') await new Promise((resolve) => setImmediate(resolve));
      return groups.enqueue('putSetting', [setting(name)]);
    });
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(shape(engine.groups)).toEqual([['putSetting 2'], ['putSetting 1']]);
    engine.release();
    expect(await Promise.all(calls)).toEqual([['a'], ['b'], ['c'], ['d']]);
  });

  it('holds calls that nobody waits for until another comes, which takes them along', async () => {
    const engine = createEngine();
    const groups = new GroupCommit(engine, catalogue);
    const settled = groups.enqueue('settle', [setting('s')]);
    for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    expect(engine.groups).toEqual([]);
    await Promise.all([groups.enqueue('putSetting', [setting('a')]), settled]);
    expect(shape(engine.groups)).toEqual([['settle 1', 'putSetting 1']]);
  });

  it('commits them soon when nothing else comes, and when the store is closed', async () => {
    const engine = createEngine();
    const groups = new GroupCommit(engine, catalogue);
    expect(await groups.enqueue('settle', [setting('s')])).toEqual(['s']);
    const last = groups.enqueue('settle', [setting('t')]);
    await groups.close();
    expect(await last).toEqual(['t']);
    expect(shape(engine.groups)).toEqual([['settle 1'], ['settle 1']]);
  });

  /** Sends texts, each half a millisecond after the one before, whose commit is over by then. */
  function everydayRate() {
    const engine = createEngine();
    const clock = movedClock();
    const groups = new GroupCommit({ ...engine, ahead: () => 8 }, catalogue, clock);
    const turn = async () => {
      for (let turns = 0; turns < 3; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    };
    const send = async (texts: number, kind = 'accept') => {
      const before = engine.groups.length;
      for (let nth = 0; nth < texts; nth += 1) {
        void groups.enqueue(kind, [text('t')]);
        await turn();
        clock.pass(0.5);
        await turn();
      }
      return engine.groups.length - before;
    };
    /** Long enough to learn that texts are joined; nothing waits afterwards. */
    const learn = async () => {
      await send(16 * 256);
      clock.pass(1);
      await turn();
    };
    return { engine, groups, clock, turn, send, learn };
  }

  it('lets a single text wait for the next one, once those that were tried have been joined', async () => {
    const { engine, send, learn } = everydayRate();
    expect(await send(255)).toBe(255);
    expect(await send(2)).toBe(1);
    await learn();
    expect(await send(100)).toBe(50);
    expect(shape(engine.groups.slice(-1))).toEqual([['accept 2']]);
  });

  it('lets it wait a millisecond at most, and no more once few were joined', async () => {
    const { engine, groups, clock, turn, send, learn } = everydayRate();
    await learn();
    const before = engine.groups.length;
    const last = groups.enqueue('accept', [text('last')]);
    await turn();
    clock.pass(0.9);
    await turn();
    expect(engine.groups.length - before).toBe(0);
    clock.pass(0.1);
    expect(await last).toEqual(['last']);
    for (let nth = 0; nth < 32; nth += 1) {
      void groups.enqueue('accept', [text('t')]);
      await turn();
      clock.pass(2);
      await turn();
    }
    // One in 256 is tried again.
    expect(await send(100)).toBeGreaterThanOrEqual(99);
  });

  it('never lets it wait behind a claim, nor anything but a text', async () => {
    const { engine, groups, turn, send, learn } = everydayRate();
    expect(await send(600, 'putSetting')).toBe(600);
    await learn();
    const before = engine.groups.length;
    void groups.enqueue('accept', [text('a')]);
    void groups.enqueue('claim', [claim('c1')]);
    await turn();
    expect(shape(engine.groups.slice(before))).toEqual([['accept 1', 'claim 1']]);
  });

  it('lets none wait that come closer, as those of a few clients in a loop', async () => {
    const { engine, groups, clock, turn, learn } = everydayRate();
    await learn();
    const before = engine.groups.length;
    for (let nth = 0; nth < 20; nth += 1) {
      void groups.enqueue('accept', [text('t')]);
      await turn();
      clock.pass(0.4);
      await turn();
    }
    // The first one had nobody close before it; the second one joins it.
    expect(shape(engine.groups.slice(before, before + 3))).toEqual([['accept 2'], ['accept 1'], ['accept 1']]);
    expect(engine.groups.length - before).toBe(19);
  });

  it('starts at once when they alone are enough', async () => {
    const engine = createEngine();
    const groups = new GroupCommit(engine, catalogue);
    const items = Array.from({ length: 48 }, (_, nth) => setting(`s${nth}`));
    void groups.enqueue('settle', items);
    await Promise.resolve();
    expect(shape(engine.groups)).toEqual([['settle 48']]);
  });

  it('never splits a call, however large', async () => {
    const engine = createEngine();
    const groups = new GroupCommit(engine, catalogue);
    const large = Array.from({ length: 700 }, (_, index) => setting(`s${index}`));
    await Promise.all([groups.enqueue('putSetting', large), groups.enqueue('putSetting', [setting('a')])]);
    expect(shape(engine.groups)).toEqual([['putSetting 700'], ['putSetting 1']]);
  });

  it('retries the calls one by one when one of them is at fault, and rejects only that one', async () => {
    const engine = createEngine();
    const groups = new GroupCommit(engine, catalogue);
    const results = await Promise.allSettled([
      groups.enqueue('putSetting', [setting('a')]),
      groups.enqueue('putSetting', [setting('b'), setting('bad')]),
      groups.enqueue('claim', [claim('c1')]),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(shape(engine.groups)).toEqual([
      ['putSetting 3', 'claim 1'],
      ['putSetting 1'],
      ['putSetting 2'],
      ['claim 1'],
    ]);
  });

  it('rejects all calls when the store fails, and goes on', async () => {
    const engine = createEngine();
    const groups = new GroupCommit(engine, catalogue);
    const results = await Promise.allSettled([
      groups.enqueue('putSetting', [setting('full')]),
      groups.enqueue('putSetting', [setting('a')]),
    ]);
    expect(results).toMatchObject([{ reason: { reason: 'full' } }, { reason: { reason: 'full' } }]);
    expect(engine.groups).toHaveLength(1);
    expect(await groups.enqueue('putSetting', [setting('b')])).toEqual(['b']);
  });

  it('sends nothing more to a broken store', async () => {
    const engine = createEngine();
    const groups = new GroupCommit(engine, catalogue);
    await expect(groups.enqueue('putSetting', [setting('broken')])).rejects.toThrow(StoreBroken);
    await expect(groups.enqueue('putSetting', [setting('a')])).rejects.toThrow(StoreBroken);
    expect(engine.groups).toHaveLength(1);
  });

  it('rejects at once the calls behind the transaction that broke the store', async () => {
    const engine = createEngine();
    const groups = new GroupCommit(engine, catalogue);
    engine.hold();
    const broken = groups.enqueue('putSetting', [setting('broken')]);
    await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
    const behind = groups.enqueue('putSetting', [setting('a')]);
    engine.release();
    const results = await Promise.allSettled([broken, behind]);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(engine.groups).toHaveLength(1);
  });

  it('lets no more rows wait than its bound, per kind', async () => {
    const engine = createEngine();
    const groups = new GroupCommit(engine, catalogue);
    engine.hold();
    const running = groups.enqueue(
      'putSetting',
      Array.from({ length: 48 }, () => setting('a')),
    );
    await Promise.resolve();
    const many = Array.from({ length: 20_000 }, () => setting('a'));
    const waiting = groups.enqueue('putSetting', many);
    await expect(groups.enqueue('putSetting', [setting('b')])).rejects.toMatchObject({ reason: 'busy' });
    const other = groups.enqueue('claim', [claim('c1')]);
    engine.release();
    await expect(Promise.all([running, waiting, other])).resolves.toBeDefined();
    expect(await groups.enqueue('putSetting', [setting('b')])).toEqual(['b']);
  });

  it('finishes waiting calls when it is closed, and accepts no more', async () => {
    const engine = createEngine();
    const groups = new GroupCommit(engine, catalogue);
    const waiting = groups.enqueue('putSetting', [setting('a')]);
    expect(groups.isBusy).toBe(true);
    await groups.close();
    expect(await waiting).toEqual(['a']);
    expect(groups.isBusy).toBe(false);
    await expect(groups.enqueue('putSetting', [setting('b')])).rejects.toMatchObject({ reason: 'down' });
  });
});
