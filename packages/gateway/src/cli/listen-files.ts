/**
 * Files that `helio listen` keeps between runs, readable by their owner only: the signing secret, so that the local
 * server needs to know it only once, and the position in the event log.
 */
import { join } from 'node:path';
import type { Random } from '../kernel/clock.ts';
import { makeFolder } from '../kernel/make-folder.ts';
import { createPrivateFile, readPrivateFile, replacePrivateFile } from '../kernel/private-file.ts';
import { Secret } from '../kernel/secret.ts';
import { createWebhookSecret, isWebhookSecret } from '../subjects/webhooks/webhook-signature.ts';

const cursorCharactersMax = 200;

/** The secret of this installation, created when missing; or the sentence that says why it cannot be used. */
export function listenSecret(folder: string, random: Random): Secret | string {
  try {
    makeFolder(folder);
    return secretIn(folder, random);
  } catch (error) {
    const { path, code } = error as NodeJS.ErrnoException;
    if (path === undefined) throw error;
    return `${path} cannot be used (${code}).`;
  }
}

function secretIn(folder: string, random: Random): Secret | string {
  const path = join(folder, 'listen-secret');
  // If two processes create it at once, the second one finds the first one's file.
  if (readPrivateFile(path).kind === 'missing') createPrivateFile(path, `${createWebhookSecret(random).reveal()}\n`);
  const file = readPrivateFile(path);
  if (file.kind === 'exposed') return `${path} is open to others (mode ${file.mode}). Run: chmod 600 ${path}`;
  const text = file.kind === 'content' ? file.bytes.toString('utf8').trim() : '';
  return isWebhookSecret(text) ? new Secret(text) : `${path} holds no secret. Delete it; the next run makes a new one.`;
}

export interface CursorFile {
  /** Null when no usable position is stored for this gateway. */
  read(): string | null;
  write(cursor: string): void;
}

export function cursorFile(folder: string, baseUrl: string): CursorFile {
  const path = join(folder, 'listen-cursor.json');
  return {
    read: () => {
      const file = readPrivateFile(path);
      return file.kind === 'content' ? cursorIn(file.bytes.toString('utf8'), baseUrl) : null;
    },
    write: (cursor) => replacePrivateFile(path, `${JSON.stringify({ baseUrl, cursor })}\n`),
  };
}

/** A cursor is valid only at the gateway that issued it. */
function cursorIn(text: string, baseUrl: string): string | null {
  try {
    const kept = JSON.parse(text) as { baseUrl?: unknown; cursor?: unknown } | null;
    const { cursor } = kept ?? {};
    const isOurs = kept?.baseUrl === baseUrl && typeof cursor === 'string' && cursor.length <= cursorCharactersMax;
    return isOurs ? (cursor as string) : null;
  } catch {
    return null;
  }
}
