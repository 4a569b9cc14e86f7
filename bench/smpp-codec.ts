/**
 * How many PDUs per second one core reads and writes with @heliograph/smpp. Prints a table.
 * Run: node bench/smpp-codec.ts [PDUs per case, default 1,000,000]
 */
import { decodePdu, encodePdu, type PduInput, tlv } from '../packages/smpp/src/index.ts';

const pdus = Number(process.argv[2] ?? 1_000_000);
const ROUNDS = 3;

const addresses = {
  source_addr_ton: 5,
  source_addr: 'HELIO',
  dest_addr_ton: 1,
  dest_addr_npi: 1,
  destination_addr: '15551230000',
};
const receipt =
  'id:0123456789 sub:001 dlvrd:001 submit date:2611210214 done date:2611210214 stat:DELIVRD err:000 text:Hello';

const cases: PduInput[] = [
  {
    command: 'submit_sm',
    sequence_number: 1,
    ...addresses,
    registered_delivery: 1,
    short_message: Buffer.from('Hello, this is a message of some sixty characters, give or take'),
  },
  {
    command: 'deliver_sm',
    sequence_number: 1,
    ...addresses,
    esm_class: 4,
    short_message: Buffer.from(receipt),
    tlvs: [tlv('message_state', 2), tlv('receipted_message_id', '0123456789')],
  },
  { command: 'submit_sm_resp', sequence_number: 1, message_id: '0123456789' },
  { command: 'deliver_sm_resp', sequence_number: 1 },
  { command: 'enquire_link', sequence_number: 1 },
];

/** Nanoseconds per call, the best of a few rounds. */
const nsPerCall = (call: () => unknown): number => {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < pdus; i++) call();
    best = Math.min(best, Number(process.hrtime.bigint() - start) / pdus);
  }
  return best;
};

const row = (name: string, octets: string, read: string, write: string): string =>
  `${name.padEnd(16)} ${octets.padStart(7)} ${read.padStart(12)} ${write.padStart(12)}`;

console.log(row('PDU', 'octets', 'read/s', 'written/s'));
for (const pdu of cases) {
  const bytes = encodePdu(pdu);
  if ('kind' in bytes) throw new Error(`${pdu.command}: ${bytes.field} ${bytes.reason}`);
  const perSecond = (ns: number): string => Math.round(1e9 / ns).toLocaleString('en');
  const read = perSecond(nsPerCall(() => decodePdu(bytes)));
  const write = perSecond(nsPerCall(() => encodePdu(pdu)));
  console.log(row(pdu.command, String(bytes.length), read, write));
}
