/** Data and wording of the handset pages. Pure. */

import type {
  Handset,
  HandsetBehaviour,
  HandsetMedium,
  HandsetMessage,
  SandboxFaults,
  WireEntry,
} from '../../api/routes/sandbox';
import { labelsOf } from '../../language/labels';
import type { ChatMessage } from '../../ui/Chat';
import { phoneText } from '../../ui/Values';

const labels = labelsOf('handset');

export type { Handset, HandsetBehaviour, HandsetMedium, HandsetMessage, SandboxFaults, WireEntry };

export const noFaults: SandboxFaults = {
  refuseBind: false,
  throttlePerSecond: null,
  loseReceiptsPercent: 0,
  duplicateReceipts: false,
  answerAfterMs: 0,
  receiptFirst: false,
  errorPercent: 0,
};

/** A number that a handset can have, by the gateway's rules: a telephone number with country code, or a short code. */
export function isHandset(number: string): boolean {
  if (!/^[1-9]\d{4,14}$/.test(number)) return false;
  return number.startsWith('1') && number.length > 6 ? /^1[2-9](?!9)(?!11)\d\d[2-9]\d{6}$/.test(number) : true;
}

/** The handsets as `shown` has them, new ones on top: a list that is sorted anew with each text moves under the pointer. */
export function inShownOrder(shown: readonly string[], handsets: readonly Handset[]): Handset[] {
  const indexes = new Map(shown.map((number, index) => [number, index]));
  const indexOf = ({ number }: Handset) => indexes.get(number) ?? -1;
  return [...handsets].sort((one, other) => indexOf(one) - indexOf(other));
}

/** The faults that are on, in words; '' when none is. `linksUp`: how many links to the simulated carrier are up; null: not known. */
export function faultsText(faults: SandboxFaults, linksUp: number | null = null): string {
  const texts = labels.trouble.list;
  return [
    faults.refuseBind && texts.refuseBind(linksUp),
    faults.throttlePerSecond !== null && texts.throttlePerSecond(faults.throttlePerSecond),
    faults.loseReceiptsPercent > 0 && texts.loseReceiptsPercent(faults.loseReceiptsPercent),
    faults.duplicateReceipts && texts.duplicateReceipts,
    faults.answerAfterMs > 0 && texts.answerAfterMs(faults.answerAfterMs),
    faults.receiptFirst && texts.receiptFirst,
    faults.errorPercent > 0 && texts.errorPercent(faults.errorPercent),
  ]
    .filter((one) => one !== false)
    .join(', ');
}

/** The messages that a handset received and sent, by time. Their ids come from one source and increase. */
export function bubblesOf(received: readonly HandsetMessage[], sent: readonly HandsetMessage[]): ChatMessage[] {
  const all = [
    ...received.map((message) => keptBubble(message, false)),
    ...sent.map((message) => keptBubble(message, true)),
  ];
  return all.sort((a, b) => (a.id < b.id ? -1 : 1));
}

const bubbles = new WeakMap<HandsetMessage, ChatMessage>();

/** One bubble for a message, so that only new ones are rendered. */
function keptBubble(message: HandsetMessage, own: boolean): ChatMessage {
  const bubble = bubbles.get(message) ?? bubbleOf(message, own);
  bubbles.set(message, bubble);
  return bubble;
}

function bubbleOf(message: HandsetMessage, own: boolean): ChatMessage {
  const { id, via, encoding, parts, receivedAt, media } = message;
  // A message without an encoding is an MMS.
  const shape = encoding === null ? labels.via(via.toUpperCase()) : `${encoding} · ${labels.parts(parts)}`;
  return {
    id,
    own,
    at: receivedAt,
    foot: shape,
    head: own ? labels.to(phoneText(message.to)) : labels.from(phoneText(message.from)),
    text: textOf(message),
    media: media.map(({ mediaId, url, contentType, fileName, sizeBytes }) => ({
      id: mediaId,
      contentType,
      name: fileName,
      sizeBytes,
      route: url?.replace(/^\/api\/v1/, '') ?? null,
    })),
  };
}

function textOf({ subject, text, textLength, media }: HandsetMessage): string | null {
  if (text === null && textLength !== undefined) return labels.hidden(textLength);
  const body = text ?? (media.length === 0 ? labels.noText : null);
  return subject === null || subject === '' ? body : `${labels.subject(subject)}\n${body ?? ''}`.trim();
}

export type WireFilter = keyof typeof labels.wirePanel.filters;

const fine = new Set(['ESME_ROK', '1000', '250', 'Ok']);

export function passes(entry: WireEntry, filter: WireFilter): boolean {
  if (filter === 'submit') return /^(submit|MM4_forward|Submit)/.test(entry.command);
  if (filter === 'deliver') return /^(deliver|Deliver|MM4_(forward|delivery))/.test(entry.command);
  return filter === 'all' || (entry.status !== null && !fine.has(entry.status));
}

const byte = (value: number) => `0x${value.toString(16).toUpperCase().padStart(2, '0')}`;

/** Transaction ids are too long for a line. */
const sequenceNumber = /^\d{1,10}$/;

/** The facts of an entry in one line; a receipt in the words that matter. */
export function factsOf(entry: WireEntry): string {
  const { sequence, status, messageId, data_coding, esm_class, text } = entry;
  const receipt = text === null ? null : /stat:(\w+) err:(\w+)/.exec(text);
  return [
    status,
    sequence !== null && sequenceNumber.test(sequence) && `seq ${sequence}`,
    data_coding !== null && `dc ${byte(data_coding)}`,
    esm_class !== null && `esm ${byte(esm_class)}`,
    messageId !== null && `id ${messageId}`,
    receipt !== null && labels.wirePanel.receipt(`${receipt[1]} err:${receipt[2]}`),
    receipt === null && text !== null && text !== '' && `“${text}”`,
  ]
    .filter((one) => one !== false && one !== null)
    .join('  ');
}

/** 16 octets a line, as hex and as ASCII. */
export function hexLines(hex: string): string {
  const lines: string[] = [];
  for (let at = 0; at < hex.length; at += 32) {
    const octets = hex.slice(at, at + 32).match(/../g) ?? [];
    const ascii = octets.map((octet) => {
      const code = Number.parseInt(octet, 16);
      return code >= 0x20 && code < 0x7f ? String.fromCharCode(code) : '.';
    });
    lines.push(`${(at / 2).toString(16).padStart(4, '0')}  ${octets.join(' ').padEnd(47)}  ${ascii.join('')}`);
  }
  return lines.join('\n');
}

/** The choice for a setting; `other` when none matches. */
export const receiptChoices: readonly (readonly [
  keyof typeof labels.behaviour.receipts,
  HandsetBehaviour['receipt'],
])[] = [
  ['own', null],
  ['quick', { outcome: 'DELIVRD', afterMs: 400 }],
  ['slow', { outcome: 'DELIVRD', afterMs: 10_000 }],
  ['undelivered', { outcome: 'UNDELIV', afterMs: 400 }],
  ['expired', { outcome: 'EXPIRED', afterMs: 5_000 }],
  ['none', { outcome: 'none', afterMs: 0 }],
];
export const autoReplyChoices: readonly (readonly [
  keyof typeof labels.behaviour.autoReplies,
  { text: string; afterMs: number } | null,
])[] = [
  ['own', null],
  ['yes', { text: 'YES', afterMs: 1_000 }],
  ['stop', { text: 'STOP', afterMs: 1_000 }],
];

export function choiceOf<K extends string>(
  choices: readonly (readonly [K, object | null])[],
  value: object | null,
): K | 'other' {
  return choices.find(([, one]) => JSON.stringify(one) === JSON.stringify(value))?.[0] ?? 'other';
}

/** Whether an address leads only to the machine it is opened on. */
export function isOnlyHere(address: string): boolean {
  const { hostname } = new URL(address);
  return hostname === 'localhost' || hostname.endsWith('.localhost') || hostname === '[::1]' || /^127\./.test(hostname);
}
