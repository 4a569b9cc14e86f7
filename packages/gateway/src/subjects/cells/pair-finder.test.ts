/** Which cell has a pair: all are queried, the answer is kept, never guessed; one query at a time, however many pairs come. */
import { expect, it } from 'vitest';
import { CellAway } from '../../http/forward.ts';
import { createPairFinder, type PairHashes, pairsAtOnce } from './pair-finder.ts';

const pair = (name: string): PairHashes => ({ bearerHash: `bearer ${name}`, authHash: `auth ${name}` });

/** Cells with the pairs of these names; a cell of null does not answer. */
function openFinder(cells: Record<string, readonly string[] | null>) {
  const queries: { cell: string; count: number }[] = [];
  let nowMs = 0;
  let open = (): void => {};
  let gate = Promise.resolve();
  const has = { ...cells };
  const finder = createPairFinder({
    clock: { monotonicMs: () => nowMs },
    names: Object.keys(cells),
    ask: async (cell, pairs) => {
      queries.push({ cell, count: pairs.length });
      await gate;
      const known = has[cell];
      if (known == null) throw new CellAway(cell, { wasSent: false });
      return pairs.map(({ bearerHash }) => known.some((name) => bearerHash === `bearer ${name}`));
    },
  });
  return {
    finder,
    queries,
    has,
    pass: (ms: number) => {
      nowMs += ms;
    },
    shut: () => {
      gate = new Promise((resolve) => {
        open = resolve;
      });
    },
    open: () => open(),
  };
}

it('finds the cell, and asks nobody again until it is forgotten', async () => {
  const { finder, queries } = openFinder({ b: ['one'], c: ['two'] });
  expect(await Promise.all([finder.find(pair('one')), finder.find(pair('two'))])).toEqual(['b', 'c']);
  expect(queries).toHaveLength(4);
  expect(await finder.find(pair('one'))).toBe('b');
  expect(queries).toHaveLength(4);
  finder.forget(pair('one'));
  expect(await finder.find(pair('one'))).toBe('b');
  expect(queries).toHaveLength(6);
});

it('remembers for a second that nobody has a pair', async () => {
  const { finder, queries, has, pass } = openFinder({ b: [], c: [] });
  expect(await finder.find(pair('new'))).toBeNull();
  has.c = ['new'];
  pass(999);
  expect(await finder.find(pair('new'))).toBeNull();
  expect(queries).toHaveLength(2);
  pass(1);
  expect(await finder.find(pair('new'))).toBe('c');
});

it('says that a cell is away where that one may have the pair, remembers nothing of it, and finds what others have', async () => {
  const { finder, has } = openFinder({ b: null, c: ['one'] });
  expect(await finder.find(pair('one'))).toBe('c');
  await expect(finder.find(pair('two'))).rejects.toThrow(CellAway);
  has.b = ['two'];
  expect(await finder.find(pair('two'))).toBe('b');
});

it('has one request to a cell under way, with all pairs that came up meanwhile', async () => {
  const { finder, queries, shut, open } = openFinder({ b: ['7'] });
  shut();
  const names = Array.from({ length: pairsAtOnce + 2 }, (_, place) => String(place));
  const found = Promise.all(names.map((name) => finder.find(pair(name))));
  const again = finder.find(pair('7'));
  expect(queries).toEqual([{ cell: 'b', count: 1 }]);
  open();
  expect((await found).filter((cell) => cell !== null)).toEqual(['b']);
  expect(await again).toBe('b');
  expect(queries.map(({ count }) => count)).toEqual([1, pairsAtOnce, 1]);
});

it('refuses what comes while thousands wait for a cell that says nothing', async () => {
  const { finder, queries, shut, open } = openFinder({ b: [] });
  shut();
  const results = Array.from({ length: 6_000 }, (_, place) =>
    finder.find(pair(String(place))).then(
      () => 'queried',
      (error: unknown) => (error instanceof CellAway ? 'refused' : 'failed'),
    ),
  );
  open();
  const counts = Map.groupBy(await Promise.all(results), (result) => result);
  expect([counts.get('queried')?.length, counts.get('refused')?.length]).toEqual([5_001, 999]);
  expect(queries.length).toBeLessThan(13);
});
