/** Contacts: what a company records about a telephone besides its number. Shared by all people of the company. */
import type { EpochMs } from '../kernel/clock.ts';

export interface Contact {
  /** E.164 digits. */
  contact: string;
  name: string;
  note: string;
  tags: readonly string[];
  updatedAt: EpochMs;
}

export const contactLimits = {
  /** Limit for one company. */
  contacts: 50_000,
  name: 100,
  note: 1_000,
  tags: 10,
  tag: 40,
} as const;

/** The form for searching: case and accents do not count. */
export function folded(text: string): string {
  return text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase();
}

/** Single spaces, no control characters. */
export function tidy(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}

/** Each tag once, in order; tags that differ only in case count as one. */
export function tidyTags(tags: readonly string[]): string[] {
  const found = new Map<string, string>();
  for (const tag of tags.map(tidy)) if (tag !== '' && !found.has(folded(tag))) found.set(folded(tag), tag);
  return [...found.values()];
}
