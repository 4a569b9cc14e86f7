/**
 * One node sends for an MM4 carrier, and all nodes listen: what reaches another node counts as if it reached the
 * sender.
 */
import { afterEach, describe, expect, it } from 'vitest';
import { quiet, until } from '../../../../../test/props/clock.ts';
import type { PeerAnswer } from '../carrier.ts';
import { mmsSubmission } from '../carrier-fixture.ts';
import { deliveryReport, forwardReq, type Mm4Scene, mm4Scene, readMail } from './mm4-fixture.ts';

const scenes: Mm4Scene[] = [];
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close();
});

async function node(takesOnly: boolean): Promise<Mm4Scene & { answers: PeerAnswer[] }> {
  const scene = await mm4Scene({ connections: 1, acknowledgement: true }, { takesOnly });
  scenes.push(scene);
  const answers: PeerAnswer[] = [];
  const answeredElsewhere = async (answer: PeerAnswer) => {
    await scene.sink.storing();
    answers.push(answer);
  };
  scene.smtp.atOnce = '250 OK';
  scene.carrier.start(takesOnly ? { ...scene.sink, answeredElsewhere } : scene.sink);
  await until(() => scene.carrier.status().listening != null && scene.carrier.status().up);
  return { ...scene, answers };
}

describe('a node that only takes what the carrier sends', () => {
  it('connects to nobody until it owes an answer', async () => {
    const other = await node(true);
    expect(other.carrier.status().binds.map(({ state }) => state)).toEqual(['reachable_idle']);
    const { codes } = await other.mail(forwardReq('m1', {}, true));
    expect(codes.at(-1)).toBe(250);
    await until(() => other.smtp.mails.length === 1);
    expect(readMail(other.smtp.mails[0]!)).toMatchObject({ type: 'MM4_forward.RES', messageId: 'm1' });
    expect(other.sink.mms.map(({ peerMessageId }) => peerMessageId)).toEqual(['m1']);
  });

  it('hands on the response to what another node sent, which ends its try by it', async () => {
    const [sender, other] = [await node(false), await node(true)];
    sender.carrier.submit([mmsSubmission(1)]);
    await until(() => sender.smtp.mails.length === 1);
    const { transactionId, messageId } = readMail(sender.smtp.mails[0]!);
    const { codes } = await other.respond({ transactionId, messageId });
    expect(codes.at(-1)).toBe(250);
    expect(other.answers).toMatchObject([{ id: transactionId }]);
    expect(sender.carrier.answered!(other.answers[0]!.body)).toBe(true);
    await until(() => sender.sink.outcomeOf('msg_1') !== undefined);
    expect(sender.sink.outcomeOf('msg_1')).toMatchObject({
      kind: 'accepted',
      parts: [{ carrierMessageId: messageId }],
    });
    expect(sender.carrier.answered!(other.answers[0]!.body)).toBe(false);
  });

  it('hands on a response that comes too late for the try, and an Ok still proves the message', async () => {
    const [sender, other] = [await node(false), await node(true)];
    sender.carrier.submit([mmsSubmission(1)]);
    await until(() => sender.smtp.mails.length === 1);
    const { transactionId, messageId } = readMail(sender.smtp.mails[0]!);
    await quiet();
    sender.clock.pass(60_000);
    await until(() => sender.sink.outcomeOf('msg_1') !== undefined);
    await other.respond({ transactionId, messageId });
    expect(sender.carrier.answered!(other.answers[0]!.body)).toBe(false);
    await until(() => sender.sink.receiptBatches.length === 1);
    expect(sender.sink.receiptBatches.flat()).toMatchObject([{ carrierMessageId: 'msg_1', state: 'interim' }]);
  });

  it('refuses for now a response that could not be stored, and takes delivery reports', async () => {
    const other = await node(true);
    other.sink.storing = () => Promise.reject(new Error('away'));
    const { codes } = await other.respond({ transactionId: 'msg_7', messageId: 'msg_7' });
    expect(codes).toContain(451);
    expect(other.answers).toEqual([]);
    other.sink.storing = async () => {};
    await other.mail(deliveryReport('msg_7', 'Retrieved'));
    expect(other.sink.receiptBatches.flat()).toMatchObject([{ carrierMessageId: 'msg_7' }]);
  });
});
