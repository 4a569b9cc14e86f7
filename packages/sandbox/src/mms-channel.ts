/**
 * Shared by the two channels to the gateway, MM7 and MM4: what they can send, and how a handset's message is put
 * together.
 */
import { type MmsPart, presentable } from '@heliograph/mms';
import type { SandboxReceipt } from './behaviour.ts';
import type { HandsetContent, MmsVia } from './handsets.ts';
import type { MmsOutbox, Post } from './mms-outbox.ts';

/** A report on a message that the gateway submitted. */
export interface MmsReport {
  messageId: string;
  /** The handset. */
  recipient: string;
  /** The gateway's number. */
  sender: string;
  mmStatus: SandboxReceipt['mmStatus'];
  at: number;
}

/** A message that leaves a handset. */
export interface MmsFromHandset {
  from: string;
  to: string;
  text: string;
  media: readonly HandsetContent[];
}

/** One of the two channels to the gateway. */
export interface MmsChannel {
  via: MmsVia;
  outbox: MmsOutbox;
  report(report: MmsReport): Post;
  deliver(message: MmsFromHandset): Post;
}

/** Media and text as a handset sends them: text last, one presentation. */
export function contentOf({ text, media }: MmsFromHandset): { parts: MmsPart[]; smil: string | null } {
  const parts = media.map((medium) => ({ ...medium, contentId: '' }));
  if (text !== '') {
    parts.push({ contentType: 'text/plain', fileName: 'text.txt', contentId: '', bytes: Buffer.from(text) });
  }
  return presentable({ parts, smil: null });
}

export function bytesOf(media: readonly { bytes: Buffer }[]): number {
  return media.reduce((sum, { bytes }) => sum + bytes.length, 0);
}
