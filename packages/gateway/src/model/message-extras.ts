/**
 * What a message has besides its text, and how the store keeps it. Pure. Octets (`data`) and media URLs are separate
 * columns.
 */
import type { SentMedium } from './sent-media.ts';

/** One medium as the API shows it. */
export interface MessageMedium extends SentMedium {
  /** Signed when it came from a handset; the same as the entry of `mediaUrls` at this index. */
  url: string;
  /** By content if known, else as the peer declared; '' for a medium that was not fetched. */
  type: string;
  /** In bytes; 0 for a medium that was not fetched. */
  size: number;
  /** The peer's name for it, made safe to show and to save under; for a fetched medium the last part of its URL. */
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
  /** The other addresses of a group: digits or mail addresses. */
  participants?: string[];
  /** The peer's id of a message whose sender requests a read report. Not shown. */
  readReport?: string;
  /** SMPP data_coding of octets that are not text, 0–255. */
  dataCoding?: number;
  /** 0 (shown at once), 1 (handset), 2 (SIM), 3 (terminal equipment): 3GPP TS 23.038 §4. */
  messageClass?: number;
  ports?: Ports;
  /** The trace of a message to a handset. Not shown; webhooks carry it. */
  traceparent?: string;
}

/** Extras of an SMS: from its header, and its non-text content. */
export interface SmsExtras extends Pick<StoredExtras, 'dataCoding' | 'messageClass' | 'ports'> {
  /** Base64 of octets that are not text, or that could only be read in part. */
  data?: string;
}

/** Extras of an MMS. */
export interface MmsExtras extends Pick<StoredExtras, 'subject' | 'participants'> {
  media?: MessageMedium[];
}

/** Extras of both, as the API, webhooks and the portal show them. */
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
