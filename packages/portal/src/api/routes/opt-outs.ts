/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface OptOut {
  contact: string;
  /** `campaign:ID` or `number:DIGITS`. */
  scope: string;
  at: string;
  how: 'keyword' | 'api' | 'import' | 'by hand' | 'carrier';
  reason: string;
  /** The message that proves it. */
  evidenceMessageId: string | null;
}

export interface OptOutEntry {
  /** Digits with country code. */ contact: string;
  /** `campaign:ID` or `number:DIGITS`, as it is shown. */
  scope?: string;
  /** All numbers of this campaign. */
  campaign?: string;
  /** This sending number, or its campaign when it has one. */
  number?: string;
  /** 3 to 200 characters: why, as a record for later. */
  reason: string;
}

export interface ChangedOptOut {
  contact: string;
  scope: string;
  /** False when it was so already. */
  changed: boolean;
}

export interface OptOutImport {
  entries: OptOutEntry[];
}

export interface ImportedOptOuts {
  added: number;
  /** Opted out already, or named twice. */
  unchanged: number;
  refused: number;
  /** The first 100 that were refused. */
  problems: ImportProblem[];
}

export interface ImportProblem {
  /** From 1; of a table without its first line. */ entry: number;
  contact: string;
  detail: string;
}

export interface OptOutsRoutes {
  'GET /opt-outs': {
    query: {
      contact?: string | null;
      scope?: string | null;
      campaign?: string | null;
      number?: string | null;
      after?: string | null;
      limit?: number | null;
    };
    body: undefined;
    answer: OptOut[];
  };
  'GET /opt-outs/export': {
    query: { after?: string | null };
    body: undefined;
    answer: never;
  };
  'GET /opt-outs/export.csv': {
    query: { timeZone?: string | null };
    body: undefined;
    answer: never;
  };
  'POST /opt-outs': {
    query: Record<never, never>;
    body: OptOutEntry;
    answer: ChangedOptOut;
  };
  'POST /opt-outs/import': {
    query: Record<never, never>;
    body: OptOutImport;
    answer: ImportedOptOuts;
  };
  'POST /opt-outs/remove': {
    query: Record<never, never>;
    body: OptOutEntry;
    answer: ChangedOptOut;
  };
}
