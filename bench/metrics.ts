/**
 * Cost of the metrics per text, in nanoseconds: all counting for one text from its request to its receipt, grouped into
 * commits as under load, and the cost of a scrape. Run: node bench/metrics.ts [texts, default 1,000,000]
 */
import { openMetrics } from '../packages/gateway/src/app/telemetry.ts';
import { createIds } from '../packages/gateway/src/kernel/ids.ts';
import { silentLogger } from '../packages/gateway/src/kernel/logger.ts';
import { machineClock, machineRandom } from '../packages/gateway/src/kernel/machine.ts';

const texts = Number(process.argv[2] ?? 1_000_000);
const rounds = 5;
const { message } = createIds(machineClock, machineRandom);
const config = { dataDir: '.', metrics: { port: null, host: '127.0.0.1', tokenFile: null } };
const metrics = openMetrics(config, { logger: silentLogger })!;
const carrier = metrics.carriers.countsOf('main');

/** The commits for `size` texts: accepted, sent, delivered. */
function commitsOf(size: number) {
  const ids = Array.from({ length: size }, message);
  const accepts = ids.map((messageId) => ({ message: { messageType: 'SMS' }, deliveries: [{ messageId }] }));
  const settlements = ids.map((messageId) => ({ messageId, to: 'sent', code: null }));
  const receipts = ids.map(() => ({ carrier: 'main', state: 'delivered' }));
  const moves = ids.map((messageId) => ({
    matched: true,
    moves: [{ messageId, from: 'sent', state: 'delivered', code: null, carrier: 'main', accountId: 'a' }],
  }));
  return [
    { calls: [{ kind: 'accept', items: accepts }], results: [ids.map(() => ({ kind: 'stored' }))] },
    { calls: [{ kind: 'settle', items: settlements }], results: [ids.map(() => ['sent'])] },
    { calls: [{ kind: 'receipts', items: receipts }], results: [moves] },
  ];
}

function nsPerText(size: number): number {
  const commits = commitsOf(size);
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds; round++) {
    const start = process.hrtime.bigint();
    for (let done = 0; done < texts; done += size) {
      for (let i = 0; i < size; i++) {
        // The answer's duration is measured only for this metric.
        metrics.countAnswer('/SendSMS', 200, 'SUCCESS', Math.round(machineClock.monotonicMs()) % 7);
        carrier.answered('accepted', null);
        carrier.roundTrip(4.2);
        carrier.receiptDelay(410);
      }
      for (const { calls, results } of commits) metrics.commits.committed(calls, results, 1.5);
    }
    best = Math.min(best, Number(process.hrtime.bigint() - start) / texts);
  }
  return best;
}

for (const size of [1, 16, 256]) console.log(`${size} texts a commit: ${nsPerText(size).toFixed(0)} ns a text`);
