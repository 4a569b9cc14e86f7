/** MM4_forward.RES that come after the wait for them. */
import { afterEach, describe, expect, it } from 'vitest';
import { quiet, until } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import { mmsSubmission } from '../carrier-fixture.ts';
import { type Mm4Scene, mm4Scene, readMail } from './mm4-fixture.ts';

let scene: Mm4Scene | null = null;
afterEach(async () => {
  await scene?.close();
  scene = null;
});

const idsOf = (mail: Parameters<typeof readMail>[0]) => {
  const { transactionId, messageId } = readMail(mail);
  return { transactionId, messageId };
};

/** The peer has taken msg_1, and no RES came in time. */
async function inDoubt(deps: Parameters<typeof mm4Scene>[1] = {}): Promise<Mm4Scene> {
  scene = await mm4Scene({ connections: 1, acknowledgement: true, window: 2 }, deps);
  const { carrier, sink, smtp, clock } = scene;
  smtp.atOnce = '250 OK';
  carrier.start(sink);
  await until(() => carrier.status().up && carrier.status().listening != null);
  carrier.submit([mmsSubmission(1)]);
  await until(() => smtp.mails.length === 1);
  // Until the 250 is read, time must stand still: the link would be given up.
  await quiet();
  clock.pass(60_000);
  await until(() => sink.outcomeOf('msg_1') !== undefined);
  expect(sink.outcomeOf('msg_1')).toMatchObject({ kind: 'uncertain', cause: 'unanswered' });
  return scene;
}

describe('a late MM4_forward.RES', () => {
  it('an Ok proves that the carrier has the message', async () => {
    const all = await inDoubt();
    const { codes } = await all.respond(idsOf(all.smtp.mails[0]!));
    expect(codes.at(-1)).toBe(250);
    expect(all.sink.resultBatches.flat()).toHaveLength(1);
    expect(all.sink.receiptBatches).toEqual([
      [
        {
          carrier: 'mm4-1',
          carrierMessageId: 'msg_1',
          idKeys: ['msg_1'],
          to: '12025550100',
          state: 'interim',
          code: null,
          carrierCode: 'Ok',
          raw: 'MM4_forward.RES msg_1 Ok',
          receivedAt: all.clock.now(),
        },
      ],
    ]);
  });

  it('while nothing can be stored is to come again', async () => {
    const all = await inDoubt();
    all.sink.storing = () => Promise.reject(new Error('disk full'));
    const { codes } = await all.respond(idsOf(all.smtp.mails[0]!));
    expect(codes).toContain(451);
  });

  it('a refusal proves nothing, and is logged with its status', async () => {
    const lines: object[] = [];
    const all = await inDoubt({ logger: { ...silentLogger, warn: (fields: object) => void lines.push(fields) } });
    const { codes } = await all.respond(idsOf(all.smtp.mails[0]!), 'Error-content-not-accepted', '411');
    expect(codes.at(-1)).toBe(250);
    expect(all.sink.receiptBatches).toEqual([]);
    const status = 'Error-content-not-accepted 411';
    expect(lines).toMatchObject([{ carrier: 'mm4-1', transactionId: 'msg_1', status }]);
  });

  it('for a message whose next attempt was answered proves nothing', async () => {
    const all = await inDoubt();
    all.carrier.submit([mmsSubmission(1)]);
    await until(() => all.smtp.mails.length === 2);
    await all.respond(idsOf(all.smtp.mails[1]!), 'Error-service-denied');
    await until(() => all.sink.resultBatches.flat().length === 2);
    await all.respond(idsOf(all.smtp.mails[0]!));
    expect(all.sink.receiptBatches).toEqual([]);
  });
});
