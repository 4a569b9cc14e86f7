/** Calls about opt-outs: listing, adding and removing them with a reason, and importing a list. */
import type { CallOptions } from './options.ts';
import { pageSizeDefault, pages } from './pages.ts';
import { dataOf, jsonBody, type Transport } from './transport.ts';

export interface OptOut {
  contact: string;
  /** `campaign:ID` or `number:DIGITS`. */
  scope: string;
  /** ISO 8601. */
  at: string;
  how: 'keyword' | 'api' | 'import' | 'by hand' | 'carrier';
  reason: string;
  /** The message that is the evidence. */
  evidenceMessageId: string | null;
}

/** Where an opt-out applies: a scope, a campaign, or a sending number (its campaign when it has one). */
export type OptOutPlace =
  | { scope: string; campaign?: undefined; number?: undefined }
  | { campaign: string; scope?: undefined; number?: undefined }
  | { number: string; scope?: undefined; campaign?: undefined };

export type OptOutEntry = OptOutPlace & {
  /** Digits with country code, without a plus. */
  contact: string;
  /** Stored as evidence, 3–200 characters. */
  reason: string;
};

export type OptOutFilter = Partial<Record<'scope' | 'campaign' | 'number' | 'contact', string>> & {
  /** Entries per page, 1–100. */
  pageSize?: number;
};

export interface ChangedOptOut {
  contact: string;
  scope: string;
  /** False when nothing had to change. */
  changed: boolean;
}

export interface ImportedOptOuts {
  added: number;
  unchanged: number;
  refused: number;
  /** The first 100 refused entries; `entry` counts from 1. */
  problems: { entry: number; contact: string; detail: string }[];
}

/** Each throws HeliographError. All are safe to repeat with the same entries. */
export interface OptOutCalls {
  /** By contact; fetches pages as needed. */
  list(filter?: OptOutFilter, options?: CallOptions): AsyncGenerator<OptOut, void, void>;
  add(entry: OptOutEntry, options?: CallOptions): Promise<ChangedOptOut>;
  /** Only for a contact that asked for it. */
  remove(entry: OptOutEntry, options?: CallOptions): Promise<ChangedOptOut>;
  /** Adds at most 10,000 at once, and not more than 256 KB of JSON. */
  import(entries: readonly OptOutEntry[], options?: CallOptions): Promise<ImportedOptOuts>;
}

export function optOutCalls(call: Transport): OptOutCalls {
  const root = '/api/v1/opt-outs';
  const post = <T>(path: string, value: unknown, options?: CallOptions) =>
    dataOf<T>(call, { method: 'POST', path, ...jsonBody(value), repeatable: true }, options);
  return {
    list: ({ pageSize = pageSizeDefault, ...filter } = {}, options = {}) =>
      pages(call, root, { limit: pageSize, ...filter }, options, 'after'),
    add: (entry, options) => post(root, entry, options),
    remove: (entry, options) => post(`${root}/remove`, entry, options),
    import: (entries, options) => post(`${root}/import`, { entries }, options),
  };
}
