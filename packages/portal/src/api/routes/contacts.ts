/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface Contact {
  contact: string;
  name: string;
  note: string;
  tags: string[];
  updatedAt: string;
}

export interface ContactEntry {
  /** Its number: digits with country code. */ contact: string;
  /** At most 100 characters. */
  name?: string;
  /** At most 1000 characters. */
  note?: string;
  /** At most 10, each of at most 40 characters. */
  tags?: string[];
}

export interface SavedContact {
  contact: string;
  /** Removed: neither name nor note nor tag was left. */
  result: 'added' | 'changed' | 'unchanged' | 'removed';
}

export interface RemovedContact {
  contact: string;
  /** False when there was none. */
  removed: boolean;
}

export interface ContactImport {
  entries: ContactEntry[];
}

export interface ImportedContacts {
  added: number;
  changed: number;
  unchanged: number;
  refused: number;
  /** The first 100 that were refused. */
  problems: {
    /** From 1; of a table without its first line. */ entry: number;
    contact: string;
    detail: string;
  }[];
}

export interface ContactsRoutes {
  'GET /contacts': {
    query: { contact?: string | null; q?: string | null; after?: string | null; limit?: number | null };
    body: undefined;
    answer: Contact[];
  };
  'GET /contacts/export': {
    query: Record<never, never>;
    body: undefined;
    answer: never;
  };
  'POST /contacts': {
    query: Record<never, never>;
    body: ContactEntry;
    answer: SavedContact;
  };
  'POST /contacts/import': {
    query: Record<never, never>;
    body: ContactImport;
    answer: ImportedContacts;
  };
  'POST /contacts/remove': {
    query: Record<never, never>;
    body: { contact: string };
    answer: RemovedContact;
  };
}
