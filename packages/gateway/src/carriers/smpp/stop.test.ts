/**
 * A clean stop while the message centre sends receipts without pause, over a real connection: every receipt that it
 * sent before its unbind response is answered, and those answered with ESME_ROK are exactly the stored ones.
 */
import { createServer, type Socket } from 'node:net';
import { decodePdu, encodePdu, Framer, status } from '@heliograph/smpp';
import { afterEach, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { movedClock, until } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { stopDrainMs } from '../../model/limits.ts';
import { loadAdapters, recordingSink, submission } from '../carrier-fixture.ts';
import { smppRecord } from './smpp-fixture.ts';

const openCarrier = await loadAdapters();

const cleanups: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Behaviour {
  /** Receipts that may wait for an answer at once. */
  window: number;
  /** True: answers our unbind after it has all answers, as it should; false: at once. */
  waitsForAnswers: boolean;
  /** Answers our submit_sm before its connection ends. */
  answersSubmits: boolean;
}

async function busyCentre({ window, waitsForAnswers, answersSubmits }: Behaviour) {
  const answers = new Map<number, number>();
  const centre = { sent: 0, open: 0, answers, unbound: false, unbindCame: false, submits: 0, isMute: false };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    const framer = new Framer();
    let unbind = 0;
    const write = (pdu: object) => socket.write(encodePdu(pdu as never) as Buffer);
    const send = () => {
      for (; centre.open < window && unbind === 0 && !centre.isMute; centre.open++) {
        const short_message = Buffer.from(`id:x${++centre.sent} stat:DELIVRD err:000`);
        const addresses = { source_addr: '12025550100', destination_addr: '12025550199' };
        write({ command: 'deliver_sm', sequence_number: centre.sent, ...addresses, esm_class: 4, short_message });
      }
    };
    const answerUnbind = () => {
      if (centre.isMute || unbind === 0 || centre.unbound || (waitsForAnswers && centre.open > 0)) return;
      centre.unbound = true;
      write({ command: 'unbind_resp', sequence_number: unbind });
    };
    socket.on('data', (chunk: Buffer) => {
      framer.push(chunk);
      while (framer.next() === 'framed') {
        const pdu = decodePdu(framer.bytes, framer.start, framer.end);
        const { sequence_number } = pdu;
        if (pdu.command === 'bind_transceiver') {
          write({ command: 'bind_transceiver_resp', sequence_number, system_id: 'X' });
          send();
        } else if (pdu.command === 'submit_sm') {
          centre.submits++;
          if (answersSubmits) write({ command: 'submit_sm_resp', sequence_number, message_id: 'm' });
        } else if (pdu.command === 'deliver_sm_resp') {
          centre.answers.set(sequence_number, pdu.command_status);
          centre.open--;
        } else if (pdu.command === 'unbind') {
          unbind = sequence_number;
          centre.unbindCame = true;
        }
      }
      send();
      answerUnbind();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleanups.push(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise((resolve) => server.close(resolve));
  });
  return { centre, port: (server.address() as { port: number }).port };
}

async function start(behaviour: Behaviour) {
  const { centre, port } = await busyCentre(behaviour);
  const clock = movedClock();
  const sink = recordingSink();
  const carrier = openCarrier(smppRecord(port), { clock, random: steadyRandom(), logger: silentLogger });
  carrier.start(sink);
  // Storing takes some turns of the event loop.
  sink.storing = async () => {
    for (let i = 0; i < 3; i++) await new Promise<void>((resolve) => setImmediate(resolve));
  };
  await until(() => {
    // Receipts may wait for each other.
    clock.pass(1);
    return centre.answers.size > 500;
  });
  return { centre, clock, sink, carrier };
}

it.each([
  ['waits for our answers before it answers the unbind', true],
  ['answers the unbind at once', false],
])('every receipt is answered by a centre that %s', async (_, waitsForAnswers) => {
  const { centre, clock, sink, carrier } = await start({ window: 100, waitsForAnswers, answersSubmits: true });
  carrier.submit([submission(1), submission(2)]);
  const stopped = carrier.stop(10_000);
  await until(() => sink.resultBatches.flat().length === 2);
  // We go on as before for a second, hoping for a quiet moment, which this centre hardly gives.
  const before = centre.answers.size;
  await until(() => centre.answers.size > before + 500 || centre.unbindCame);
  clock.pass(1_000);
  await stopped;
  expect(centre.unbound).toBe(true);
  expect(sink.resultBatches.flat().map(({ outcome }) => outcome.kind)).toEqual(['accepted', 'accepted']);
  await until(() => centre.answers.size === centre.sent);
  const stored = sink.receiptBatches.flat().map(({ carrierMessageId }) => Number(carrierMessageId.slice(1)));
  const taken = [...centre.answers].filter(([, answer]) => answer === status.ESME_ROK).map(([number]) => number);
  expect(stored.length).toBeGreaterThan(500);
  expect(stored.toSorted((a, b) => a - b)).toEqual(taken.toSorted((a, b) => a - b));
  const others = [...centre.answers.values()].filter((answer) => answer !== status.ESME_ROK);
  expect(new Set(others).isSubsetOf(new Set([status.ESME_RMSGQFUL]))).toBe(true);
});

it('a centre that answers nothing any more holds up a stop for less than ten seconds', async () => {
  const { centre, clock, sink, carrier } = await start({ window: 1, waitsForAnswers: true, answersSubmits: false });
  carrier.submit([submission(1)]);
  await until(() => centre.submits === 1);
  centre.isMute = true;
  let isOver = false;
  const stopped = carrier.stop(stopDrainMs).then(() => {
    isOver = true;
  });
  let tookMs = 0;
  await until(() => {
    if (!isOver) clock.pass(100);
    tookMs += isOver ? 0 : 100;
    return isOver;
  });
  await stopped;
  expect(tookMs).toBeLessThan(8_000);
  expect(sink.resultBatches.flat().map(({ outcome }) => outcome.kind)).toEqual(['uncertain']);
});
