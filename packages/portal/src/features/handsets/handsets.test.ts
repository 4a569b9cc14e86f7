import '../../language/english';

import { describe, expect, it } from 'vitest';
import {
  bubblesOf,
  choiceOf,
  factsOf,
  faultsText,
  type HandsetMessage,
  hexLines,
  inShownOrder,
  isHandset,
  isOnlyHere,
  noFaults,
  passes,
  receiptChoices,
  type WireEntry,
} from './handsets';

const message = (id: string, more: Partial<HandsetMessage> = {}): HandsetMessage => ({
  id,
  kind: 'SMS',
  via: 'smpp',
  from: '1',
  to: '2',
  subject: '',
  text: 'hi',
  encoding: 'GSM-7',
  parts: 1,
  media: [],
  receivedAt: '2026-11-20T10:00:00.000Z',
  ...more,
});

const entry = (more: Partial<WireEntry> = {}): WireEntry => ({
  id: 'pdu_1',
  at: '',
  link: 'smpp',
  direction: 'to_carrier',
  own: '1',
  handset: '2',
  command: 'submit_sm',
  sequence: '41',
  status: null,
  messageId: null,
  data_coding: 0,
  esm_class: 0,
  text: 'Hello',
  sizeBytes: 1,
  hex: '',
  ...more,
});

describe('the list of phones', () => {
  it('keeps its order while texts arrive; new phones come on top', () => {
    const handset = (number: string) => ({ number, messages: 1, lastReceivedAt: null });
    const order = (shown: string[], now: string[]) => inShownOrder(shown, now.map(handset)).map((one) => one.number);
    expect(order([], ['3', '1', '2'])).toEqual(['3', '1', '2']);
    expect(order(['3', '1', '2'], ['5', '2', '4', '3', '1'])).toEqual(['5', '4', '3', '1', '2']);
  });
});

describe('bubbles', () => {
  it('of both directions stand in the order of their ids', () => {
    const bubbles = bubblesOf([message('txt_1'), message('txt_3')], [message('txt_2')]);
    expect(bubbles.map(({ id, own }) => [id, own])).toEqual([
      ['txt_1', false],
      ['txt_2', true],
      ['txt_3', false],
    ]);
  });

  it('are the same objects for the same messages, so that only new ones are rendered', () => {
    const [first, second, third] = ['txt_1', 'txt_2', 'txt_3'].map((id) => message(id));
    const [, second1] = bubblesOf([first!, second!], []);
    const [second2] = bubblesOf([second!, third!], []);
    expect(second2).toBe(second1);
  });

  it('say from whom they came, and to whom they went', () => {
    const numbers = { from: '12025550199', to: '12025550198' };
    const bubbles = bubblesOf([message('txt_1', numbers)], [message('txt_2', numbers)]);
    expect(bubbles.map(({ head }) => head)).toEqual(['from 1 (202) 555-0199', 'to 1 (202) 555-0198']);
  });

  it('say how long a text is that may not be read', () => {
    const [bubble] = bubblesOf([message('1', { subject: null, text: null, textLength: 21 })], []);
    expect(bubble!.text).toBe('••• 21 characters');
  });

  it('fetch media through the portal, and say when they are gone', () => {
    const medium = { mediaId: 'm', contentType: 'image/png', fileName: 'a.png', sizeBytes: 3, sha256: '' };
    const url = '/api/v1/sandbox/handsets/2/media/m';
    const [bubble] = bubblesOf(
      [
        message('1', {
          media: [
            { ...medium, url },
            { ...medium, url: null },
          ],
          text: null,
        }),
      ],
      [],
    );
    expect(bubble!.media.map(({ route }) => route)).toEqual(['/sandbox/handsets/2/media/m', null]);
    expect(bubble!.text).toBeNull();
  });
});

describe('the wire', () => {
  it('tells a submission and a receipt in a line', () => {
    expect(factsOf(entry())).toBe('seq 41  dc 0x00  esm 0x00  “Hello”');
    const text = 'id:0A sub:001 dlvrd:001 submit date:1 done date:1 stat:DELIVRD err:000 text:';
    expect(factsOf(entry({ esm_class: 4, messageId: '0A', text }))).toBe(
      'seq 41  dc 0x00  esm 0x04  id 0A  receipt DELIVRD err:000',
    );
  });

  it('is filtered', () => {
    expect(passes(entry(), 'submit')).toBe(true);
    expect(passes(entry(), 'deliver')).toBe(false);
    expect(passes(entry(), 'refused')).toBe(false);
    expect(passes(entry({ status: 'ESME_ROK' }), 'refused')).toBe(false);
    expect(passes(entry({ status: 'ESME_RTHROTTLED' }), 'refused')).toBe(true);
  });

  it('is shown as hex and ASCII', () => {
    expect(hexLines('4100')).toBe(`0000  41 00${' '.repeat(42)}  A.`);
    expect(hexLines('41'.repeat(17)).split('\n')).toHaveLength(2);
  });
});

it('faults are told in words', () => {
  expect(faultsText(noFaults)).toBe('');
  expect(faultsText({ ...noFaults, loseReceiptsPercent: 20, refuseBind: true })).toBe(
    'binds are refused, receipts lost 20 %',
  );
  const refused = { ...noFaults, refuseBind: true };
  expect(faultsText(refused, 0)).toBe('binds are refused and the link is down, so texts wait');
  expect(faultsText(refused, 2)).toBe('new binds are refused (the 2 links that were up stay, so texts still go out)');
});

it('a setting is one of the choices, or another', () => {
  expect(choiceOf(receiptChoices, { outcome: 'UNDELIV', afterMs: 400 })).toBe('undelivered');
  expect(choiceOf(receiptChoices, { outcome: 'UNDELIV', afterMs: 7 })).toBe('other');
});

it.each([
  ['http://localhost:8088/handsets', true],
  ['http://127.0.0.1/handsets', true],
  ['http://[::1]:8088/handsets', true],
  ['http://192.168.1.7:8088/handsets', false],
  ['https://sms.example/handsets', false],
])('%s leads only to this machine: %s', (address, only) => expect(isOnlyHere(address)).toBe(only));

describe('a number of a handset', () => {
  it.each(['12025550100', '447700900123', '12345', '123456', '3581234'])('is %s', (number) =>
    expect(isHandset(number)).toBe(true),
  );
  it.each(['', '123', '1234567', '02025550100', '11125550100', '1202555010x', '+12025550100', '1'.repeat(16)])(
    'is not %j',
    (number) => expect(isHandset(number)).toBe(false),
  );
});
