/** A new message that was begun and not sent: kept in this tab, for the person and the environment in which it was written. */
import type { Medium } from './compose';

export interface Draft {
  from: string;
  to: string;
  text: string;
  media: Medium[];
  reference: string;
}

const place = 'helio-message-draft';

/** `whose` tells apart people, environments and what the message began as. */
export function keptDraft(whose: string): Draft | null {
  try {
    const kept = JSON.parse(sessionStorage.getItem(place) ?? 'null') as { whose: string; draft: Draft } | null;
    return kept?.whose === whose ? kept.draft : null;
  } catch {
    return null;
  }
}

/** A draft without anything in it is none. */
export function keepDraft(whose: string, draft: Draft | null): void {
  const isEmpty = draft === null || (`${draft.to}${draft.text}${draft.reference}`.trim() === '' && !draft.media.length);
  try {
    if (isEmpty) sessionStorage.removeItem(place);
    else sessionStorage.setItem(place, JSON.stringify({ whose, draft }));
  } catch {
    // A browser that keeps nothing loses the draft.
  }
}
