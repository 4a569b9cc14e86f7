/**
 * Unsent drafts: stored in this browser for the person, the company and the environment in which they were written,
 * until they are sent, deleted or expired, or the person signs out.
 */
import type { Medium } from './compose';

export interface Draft {
  from: string;
  to: string;
  text: string;
  media: Medium[];
  reference: string;
}

export interface KeptDraft extends Draft {
  id: string;
  whose: string;
  /** When it was last changed, in ms since 1970. */
  at: number;
}

/** The stored text. */
export interface Shelf {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
  removeItem(name: string): void;
}

export const draftsName = 'helio-message-drafts';
/** Replies being written, of this tab alone. Here, because signing out needs no more of them than their name. */
export const repliesName = 'helio-replies';
const draftsMax = 50;
const keptMs = 30 * 86_400_000;

/** Last changed first. */
export function draftsOf(shelf: Shelf, whose: string, now: number): KeptDraft[] {
  return read(shelf, now).filter((one) => one.whose === whose);
}

/** An empty draft is not stored. False when the browser stores nothing. */
export function keepDraft(shelf: Shelf, draft: KeptDraft): boolean {
  const others = read(shelf, draft.at).filter(({ id }) => id !== draft.id);
  return write(shelf, isEmpty(draft) ? others : [draft, ...others].slice(0, draftsMax));
}

export function dropDraft(shelf: Shelf, dropped: string, now: number): void {
  write(
    shelf,
    read(shelf, now).filter(({ id }) => id !== dropped),
  );
}

/** Signing out deletes the person's drafts and replies. */
export function forgetDrafts(): void {
  write(localStorage, []);
  sessionStorage.removeItem(repliesName);
}

export function isEmpty({ to, text, reference, media }: Draft): boolean {
  return `${to}${text}${reference}`.trim() === '' && media.length === 0;
}

function read(shelf: Shelf, now: number): KeptDraft[] {
  try {
    const kept: unknown = JSON.parse(shelf.getItem(draftsName) ?? '[]');
    const drafts = Array.isArray(kept) ? kept.filter(isDraft) : [];
    return drafts.filter(({ at }) => now - at < keptMs).sort((a, b) => b.at - a.at);
  } catch {
    return [];
  }
}

function write(shelf: Shelf, drafts: readonly KeptDraft[]): boolean {
  try {
    if (drafts.length === 0) shelf.removeItem(draftsName);
    else shelf.setItem(draftsName, JSON.stringify(drafts));
    return true;
  } catch {
    return false;
  }
}

function isDraft(value: unknown): value is KeptDraft {
  const one = (value ?? {}) as Partial<KeptDraft>;
  const texts = [one.id, one.whose, one.from, one.to, one.text, one.reference];
  return texts.every((text) => typeof text === 'string') && typeof one.at === 'number' && Array.isArray(one.media);
}
