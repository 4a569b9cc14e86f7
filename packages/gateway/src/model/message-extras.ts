/**
 * What a reply has besides its text, and how the store keeps it. Pure. Octets (`data`) and media URLs are separate
 * columns.
 */
import type { SentMedium } from './sent-media.ts';

/** One medium as the API shows it. */
export interface MessageMedium extends SentMedium {
  /** Signed when it came from a handset; the same as in `mediaUrls` at the same place. */
  url: string;
  /** By its content where that is known, else as the peer declared it; '' of one that was not fetched. */
  type: string;
  /** In bytes; 0 of one that was not fetched. */
  size: number;
  /** As the peer called it, safe to show and to save under; the last part of the URL of one that was fetched. */
  name: string;
}

/** Application ports (3GPP TS 23.040 §9.2.3.24.3–4, SMPP source_port and destination_port), 0–65,535. */
export interface Ports {
  source: number;
  destination: number;
}

/** Stored with a message as JSON. */
export interface StoredExtras {
  /** In the order of the message's `mediaUrls`. */
  media?: Omit<MessageMedium, 'url' | keyof SentMedium>[];
  subject?: string;
  /** Other addresses of a group: digits, or mail addresses. */
  participants?: string[];
  /** The peer's id of a message whose sender asks to be told when it was read. Not shown. */
  readReport?: string;
  /** SMPP data_coding of octets that are no text, 0–255. */
  dataCoding?: number;
  /** 0 (shown at once), 1 (handset), 2 (SIM), 3 (terminal equipment): 3GPP TS 23.038 §4. */
  messageClass?: number;
  ports?: Ports;
  /** Of a message to a handset: the trace it belongs to. Not shown; webhooks carry it. */
  traceparent?: string;
}

/** Of an SMS: what stands in its header, and what of it is no text. */
export interface SmsExtras extends Pick<StoredExtras, 'dataCoding' | 'messageClass' | 'ports'> {
  /** Octets that are no text, or that were read only in part: base64. */
  data?: string;
}

/** Of an MMS. */
export interface MmsExtras extends Pick<StoredExtras, 'subject' | 'participants'> {
  media?: MessageMedium[];
}

/** Of either, as the API, webhooks and the portal show it. */
export interface MessageExtras extends SmsExtras, MmsExtras {}

/** Null when there is nothing to store. */
export function writeExtras(extras: StoredExtras): string | null {
  const text = JSON.stringify(extras);
  return text === '{}' ? null : text;
}

/** `octets`: base64, or null. */
export function readSmsExtras(stored: string | null, octets: string | null): SmsExtras {
  const { dataCoding, traceparent: _, ...extras }: Omit<StoredExtras, keyof MmsExtras | 'readReport'> = parsed(stored);
  return { ...extras, ...(octets !== null && { data: octets, ...(dataCoding !== undefined && { dataCoding }) }) };
}

export function readMmsExtras(stored: string | null, mediaUrls: readonly string[]): MmsExtras {
  const {
    media,
    readReport: _read,
    traceparent: _trace,
    ...extras
  }: Omit<StoredExtras, keyof SmsExtras> = parsed(stored);
  return {
    ...extras,
    ...(media !== undefined && { media: media.map((one, index) => ({ url: mediaUrls[index] ?? '', ...one })) }),
  };
}

export function readStoredTrace(stored: string | null): string | null {
  return (parsed(stored) as StoredExtras).traceparent ?? null;
}

function parsed(stored: string | null) {
  return stored === null ? {} : JSON.parse(stored);
}
