/** Outages of a real SMPP carrier on loopback, with the gateway's own adapter, meter and watch. */
import { expect, it, onTestFinished } from 'vitest';
import { until, untilPassing } from '../../../../../test/props/clock.ts';
import { recordingSink, submission } from '../../carriers/carrier-fixture.ts';
import { openSmpp } from '../../carriers/smpp/smpp-fixture.ts';
import { createLaneMeter } from '../../messaging/send-queue/lane-meter.ts';
import { minute, second } from './alert-fixture.ts';
import { openWatched, sceneOf } from './watched-fixture.ts';

async function connected() {
  const smpp = await openSmpp({ binds: 1, window: 50 });
  onTestFinished(smpp.close);
  const { clock, peer, record } = smpp;
  const meter = createLaneMeter(clock);
  const carrier = meter.watch(smpp.carrier, () => false);
  const sink = recordingSink();
  const scene = sceneOf(clock);
  scene.gaps.set(record.carrierId, meter.receiptGap);
  scene.reports.set(record.carrierId, () => ({
    ...{ ...meter.figures(), since: 0, detail: null, inFlight: 0, silentSince: null },
    status: smpp.carrier.status(),
  }));
  const watched = await openWatched(clock, scene);
  carrier.start(sink);
  await untilPassing(clock, () => smpp.carrier.status().up);
  let sent = 0;

  /** Submits texts, and makes the carrier answer them. */
  async function send(count: number, answer: (submit: (typeof peer.submits)[number], id: string) => void) {
    const from = peer.submits.length;
    carrier.submit(Array.from({ length: count }, () => submission(sent++)));
    await until(() => peer.submits.length === from + count);
    for (const [i, submit] of peer.submits.slice(from).entries()) answer(submit, `id-${from + i}`);
    await until(() => sink.resultBatches.flat().length === sent);
  }

  /** The carrier takes each text and sends its receipt four seconds later. */
  async function normal(count: number) {
    const ids: { carrierMessageId: string; from: string; to: string }[] = [];
    await send(count, (submit, id) => {
      submit.accept(id);
      ids.push({ carrierMessageId: id, from: submit.from, to: submit.to });
    });
    clock.pass(4 * second);
    const before = sink.receiptBatches.flat().length;
    for (const id of ids) peer.receipt(id, 'delivered');
    await until(() => sink.receiptBatches.flat().length === before + count);
  }

  return { ...watched, watched, clock, peer, smpp, send, normal };
}

it('a carrier that takes texts and withholds their receipts fires after ten minutes, and is over with the first', async () => {
  const { watched, send, normal, notices } = await connected();
  // The meter samples four a second.
  for (let i = 0; i < 5; i++) await normal(10);
  await watched.pass(minute);
  await send(20, (submit, id) => submit.accept(id));
  await watched.pass(10 * minute);
  expect(await notices()).toEqual([]);
  await watched.pass(2 * minute);
  expect(await notices()).toEqual(['receipts car_test firing to acc1']);
  expect((await watched.history())[0]!.detail).toMatch(
    /^Carrier car_test has taken 20 parts in 11 min and sent no receipt; 95 of 100 usually come within 5 s\.$/,
  );
  await watched.pass(30 * minute);
  await normal(1);
  await watched.pass(2 * minute);
  expect(await notices()).toEqual(['receipts car_test firing to acc1', 'receipts car_test resolved to acc1']);
});

it('a carrier that refuses what it is handed fires', async () => {
  const { watched, send, normal, notices } = await connected();
  for (let i = 0; i < 3; i++) await normal(10);
  await send(4, (submit) => submit.refuse('never'));
  await watched.pass(2 * minute);
  expect(await notices()).toEqual([]);
  await send(20, (submit) => submit.refuse('never'));
  await watched.pass(2 * minute);
  expect(await notices()).toEqual(['errors car_test firing to acc1']);
  // Five minutes later the figures no longer include it.
  await watched.pass(5 * minute);
  expect(await notices()).toEqual(['errors car_test firing to acc1', 'errors car_test resolved to acc1']);
});

it('a carrier that throttles is no error', async () => {
  const { watched, send, notices } = await connected();
  await send(30, (submit) => submit.refuse('throttled'));
  await watched.pass(2 * minute);
  expect(await notices()).toEqual([]);
});

it('a carrier that is killed fires after five minutes, and is over once it lets us bind again', async () => {
  const { watched, clock, peer, smpp, notices } = await connected();
  peer.bindStatus = 0x0d;
  peer.drop();
  await until(() => !smpp.carrier.status().up);
  await watched.pass(4 * minute + 55 * second);
  expect(await notices()).toEqual([]);
  await watched.pass(minute);
  expect(await notices()).toEqual(['link car_test firing to acc1']);
  peer.bindStatus = 0;
  await untilPassing(clock, () => smpp.carrier.status().up);
  await watched.pass(70 * second);
  expect(await notices()).toEqual(['link car_test firing to acc1', 'link car_test resolved to acc1']);
});
