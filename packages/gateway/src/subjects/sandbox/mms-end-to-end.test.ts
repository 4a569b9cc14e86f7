/** The gateway's own adapters against the simulated carrier, over real sockets in both directions. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MmsVia } from '@heliograph/sandbox/handsets';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { type MovedClock, quiet, until } from '../../../../../test/props/clock.ts';
import { watchedClock } from '../../../../sandbox/src/mms-fixture.ts';
import type { Carrier, MmsSubmission } from '../../carriers/carrier.ts';
import {
  loadAdapters,
  mmsSubmission,
  type RecordingSink,
  recordingSink,
  tinyPng,
} from '../../carriers/carrier-fixture.ts';
import { mm4Record } from '../../carriers/mm4/mm4-fixture.ts';
import { mm7Record } from '../../carriers/mm7/mm7-fixture.ts';
import { smppRecord } from '../../carriers/smpp/smpp-fixture.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { Receipt } from '../../model/delivery.ts';
import { type SandboxCarrier, startSandboxCarrier } from './sandbox.ts';

const openCarrier = await loadAdapters();

const from = '12025550199';
const login = { username: 'heliograph', password: 'sandbox secret' };
const inbound = { username: 'sim', password: 'inbound secret' };
const ownDomain = 'mms.sandbox.example';
const domain = 'mms.carrier.example';

let clock: MovedClock;
let waited: number[];
let sandbox: SandboxCarrier;
let server: Server;
let carriers: Record<MmsVia | 'smpp', Carrier>;
let sink: RecordingSink;

beforeEach(async () => {
  ({ clock, waited } = watchedClock());
  sink = recordingSink();
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const { headers } = request;
    const answer = await carriers.mm7.http!({
      headers: headers as Record<string, string>,
      body: async () => body,
      remoteAddress: '127.0.0.1',
      clientCertSha256: null,
    });
    response.writeHead(answer.status, answer.headers).end(answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}/carriers/mm7-1/mm7`;
  sandbox = await startSandboxCarrier({
    host: '127.0.0.1',
    preferredPort: 0,
    system_id: 'heliograph',
    password: 'sandbox',
    mm7: { preferredPort: 0, ...login, gateway: () => ({ url, ...inbound }) },
    mm4: {
      preferredPort: 0,
      ownDomain: domain,
      peerDomain: ownDomain,
      gateway: () => carriers.mm4.status().listening ?? null,
    },
    clock,
    random: steadyRandom(),
    logger: silentLogger,
  });
  const deps = { clock, random: steadyRandom(), logger: silentLogger };
  const mm7 = mm7Record(sandbox.mm7.url, { ...login, inbound: { ...inbound, addresses: [], clientCertSha256: [] } });
  const mm4 = mm4Record(sandbox.mm4.port, { acknowledgement: true, domain, ownDomain });
  const smpp = smppRecord(sandbox.port, { system_id: 'heliograph', password: 'sandbox' });
  carriers = { mm7: openCarrier(mm7, deps), mm4: openCarrier(mm4, deps), smpp: openCarrier(smpp, deps) };
  for (const carrier of Object.values(carriers)) carrier.start(sink);
  await until(() => Object.values(carriers).every((carrier) => carrier.capacity() > 0));
});

afterEach(async () => {
  const stopped = Promise.all(Object.values(carriers).map((carrier) => carrier.stop(0)));
  await until(() => {
    clock.pass(10);
    return carriers.smpp.status().binds.every(({ state }) => state === 'stopped');
  });
  await stopped;
  const ended = sandbox.stop();
  clock.pass(10_000);
  await ended;
  await new Promise((resolve) => server.close(resolve));
});

let sent = 0;
async function submit(via: MmsVia, to: string, more: Partial<MmsSubmission> = {}) {
  const one = mmsSubmission(++sent, { to, from, text: 'Grüße', ...more });
  carriers[via].submit([one]);
  await until(() => sink.outcomeOf(one.messageId) !== undefined);
  return sink.outcomeOf(one.messageId)!;
}
const receipts = (): Receipt[] => sink.receiptBatches.flat();

describe.each(['mm7', 'mm4'] as const)('over %s', (via) => {
  it('a picture goes out, arrives and is reported; one comes back', async () => {
    const outcome = await submit(via, '12025550100');
    expect(outcome.kind).toBe('accepted');
    clock.pass(400);
    await until(() => receipts().length === 1);
    const { carrierMessageId } = outcome.parts[0]!;
    expect(receipts()).toMatchObject([{ carrierMessageId, to: '12025550100', state: 'delivered', code: 'DELIVERED' }]);
    const [message] = (await sandbox.handsets.messages('12025550100', { waitMs: 0 })) as {
      media: { mediaId: string }[];
    }[];
    expect(message).toMatchObject({ kind: 'MMS', via, from, text: 'Grüße', media: [{ contentType: 'image/png' }] });
    expect(sandbox.handsets.medium('12025550100', message!.media[0]!.mediaId)?.bytes).toEqual(tinyPng);
    const media = [{ contentType: 'image/png', fileName: 'Back.PNG', bytes: tinyPng }];
    expect(sandbox.handsets.reply('12025550100', { text: 'and back', media })).toMatchObject({ via, to: from });
    await until(() => sink.mms.length === 1);
    expect(sink.mms).toMatchObject([
      {
        carrier: carriers[via].carrierId,
        from: '12025550100',
        to: [from],
        text: 'and back',
        media: [{ contentType: 'image/png' }],
      },
    ]);
    expect(sink.mms[0]!.media.map(({ bytes }) => bytes)).toEqual([tinyPng]);
  });

  it.each([
    ['12025550111', 400, 'UNREACHABLE'],
    ['12025550112', 60_000, 'EXPIRED'],
    ['12025550114', 400, 'CARRIER_REJECTED'],
    ['12025550120', 400, 'CARRIER_REJECTED'],
    ['12025550123', 400, 'CARRIER_REJECTED'],
    ['12025550125', 400, 'MMS_NOT_SUPPORTED'],
  ])('%s: undelivered after %i ms with %s', async (number, afterMs, code) => {
    expect((await submit(via, number)).kind).toBe('accepted');
    clock.pass(afterMs);
    await until(() => receipts().length === 1);
    expect(receipts()).toMatchObject([{ state: 'undelivered', code }]);
  });

  it.each([
    ['12025550113', 'CARRIER_REJECTED'],
    ['12025550122', 'MEDIA_TOO_LARGE'],
  ])('%s: refused with %s', async (number, code) => {
    expect(await submit(via, number)).toMatchObject({ kind: 'refused', retry: 'never', code });
  });

  it('0116: to be tried again twice, then taken', async () => {
    const outcomes = [];
    for (let attempt = 1; attempt <= 3; attempt++) {
      outcomes.push(await submit(via, '12025550116', { messageId: `msg_again_${via}_${attempt}` }));
    }
    expect(outcomes).toMatchObject([
      { kind: 'refused', retry: 'later', code: 'CARRIER_UNAVAILABLE' },
      { kind: 'refused', retry: 'later', code: 'CARRIER_UNAVAILABLE' },
      { kind: 'accepted' },
    ]);
  });

  it('0117: the same report twice; 0115: none', async () => {
    await submit(via, '12025550115');
    await submit(via, '12025550117');
    clock.pass(400);
    await until(() => receipts().length === 2);
    clock.pass(5_000);
    await quiet();
    expect(receipts().map(({ to }) => to)).toEqual(['12025550117', '12025550117']);
  });

  it('0121: the report before the answer', async () => {
    const outcome = submit(via, '12025550121');
    await until(() => {
      clock.pass(0);
      return receipts().length === 1;
    });
    expect(sink.resultBatches).toEqual([]);
    clock.pass(200);
    const { parts } = await outcome;
    expect(parts.map(({ carrierMessageId }) => carrierMessageId)).toEqual([receipts()[0]!.carrierMessageId]);
  });

  it('0119 answers a picture with a text, over SMPP', async () => {
    await submit(via, '12025550119');
    clock.pass(400);
    clock.pass(1_000);
    await until(() => sink.inboundBatches.length === 1);
    expect(sink.inboundBatches[0]).toMatchObject([{ from: '12025550119', to: from, text: 'STOP' }]);
  });

  it('what the gateway cannot store comes again', async () => {
    let stores = 0;
    sink.storing = async () => {
      if (++stores === 1) throw new Error('disk full');
    };
    await submit(via, '12025550100');
    clock.pass(400);
    await until(() => receipts().length === 1);
    await until(() => {
      if (waited.includes(1_000)) clock.pass(1_000);
      return receipts().length === 2;
    });
  });
});
