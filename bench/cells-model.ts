/**
 * Checks the capacity model of docs/decisions/019-cells.md: measures its terms with the first number of cells, predicts the
 * processor time of a mix in which requests and receipts come to all cells alike, for each number of cells, and measures it.
 */
import { type Mix, type MixCost, type MixedCells, type MixOptions, startMixedCells } from './cells-mix.ts';

const mixes = {
  home: { requests: 'own', receipts: 'own' },
  forwarded: { requests: 'foreign', receipts: 'own' },
  elsewhere: { requests: 'own', receipts: 'foreign' },
  mixed: { requests: 'spread', receipts: 'spread' },
} as const satisfies Record<string, Mix>;
type Measured = Record<keyof typeof mixes, MixCost>;
const names = Object.keys(mixes) as (keyof typeof mixes)[];

export async function checkModel(
  counts: readonly number[],
  { rounds, ...options }: Omit<MixOptions, 'count'> & { rounds: number },
): Promise<void> {
  const measured = new Map<number, Measured>();
  for (const count of counts) {
    const cells = await startMixedCells({ ...options, count });
    try {
      measured.set(count, await medians(cells, rounds));
    } finally {
      await cells.stop();
    }
    const rows = names.map((name) => [name, rowOf(measured.get(count)![name])]);
    console.log(`\n${count} cells, processor time in µs a message`);
    console.table(Object.fromEntries(rows));
  }
  const [first] = counts;
  const { home, forwarded, elsewhere } = measured.get(first!)!;
  const more = total(elsewhere) - total(home);
  const terms = { 'g + p': total(home), 'd + i': total(forwarded) - total(home), l: more / (first! - 1) };
  console.log('\nterms, of', first, 'cells:', rounded(terms));
  for (const count of counts) {
    const share = (count - 1) / count;
    const predicted = terms['g + p'] + share * terms['d + i'] + share * (count - 1) * terms.l;
    const found = total(measured.get(count)!.mixed);
    console.log(
      `${count} cells, f = s = ${share.toFixed(2)}: predicted ${predicted.toFixed(0)}, measured ${found.toFixed(0)} µs a message, error ${percent(predicted / found - 1)}`,
    );
  }
}

/** In turns, so that what else the machine does is the same for all. */
async function medians(cells: MixedCells, rounds: number): Promise<Measured> {
  const all: Measured[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const one: [string, MixCost][] = [];
    for (const name of names) one.push([name, await cells.run(mixes[name])]);
    all.push(Object.fromEntries(one) as Measured);
  }
  const middle = (name: keyof typeof mixes, what: keyof MixCost): number =>
    all.map((one) => one[name][what]).sort((one, other) => one - other)[Math.floor(rounds / 2)]!;
  return Object.fromEntries(
    names.map((name) => [name, { gateways: middle(name, 'gateways'), server: middle(name, 'server') }]),
  ) as Measured;
}

const total = ({ gateways, server }: MixCost): number => gateways + server;
const rowOf = (cost: MixCost) => rounded({ ...cost, together: total(cost) });
const percent = (part: number): string => `${part > 0 ? '+' : ''}${(part * 100).toFixed(0)} %`;

function rounded(values: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Math.round(value)]));
}
