/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface Handset {
  number: string;
  messages: number;
  lastReceivedAt: string | null;
}

export interface HandsetMessage {
  id: string;
  kind: 'SMS' | 'MMS';
  /** The protocol it travels over. */
  via: 'smpp' | 'mm7' | 'mm4';
  from: string;
  to: string;
  /** Empty for an SMS. */
  subject: string | null;
  subjectLength?: number;
  /** Null when the content is not text. */
  text: string | null;
  textLength?: number;
  /** Null for an MMS. */
  encoding: 'GSM-7' | 'UCS-2' | null;
  parts: number;
  media: HandsetMedium[];
  receivedAt: string;
}

export interface HandsetMedium {
  mediaId: string;
  contentType: string;
  fileName: string;
  sizeBytes: number;
  /** SHA-256 of the bytes, lower-case hex. */
  sha256: string;
  /** Path of its bytes on this gateway, for the same credentials; null once newer media replaced them. */
  url: string | null;
}

export interface HandsetReply {
  /** Optional with `mediaUrls`. */ text?: string | null;
  /** One of your sandbox numbers; the last sender when left out. */
  to?: string | null;
  /** With them the reply is an MMS. */
  mediaUrls?: string[] | null;
  /** Files of any type to send along, as a telephone would; with them the reply is an MMS. */
  files?:
    | {
        /** The bytes in base64. */ data: string;
        /** As the telephone declares it. */
        type?: string | null;
        name?: string | null;
      }[]
    | null;
  /** Protocol of an MMS; by default the one of the last MMS from that number, or else `mm7`. */
  via?: 'mm7' | 'mm4' | null;
}

export interface QueuedReply {
  from: string;
  to: string;
  messageType: 'SMS' | 'MMS';
  /** The protocol it travels over. */
  via: 'smpp' | 'mm7' | 'mm4';
  parts: number;
  /** Null for an MMS. */
  encoding: 'GSM-7' | 'UCS-2' | null;
  /** Number of media in the reply. */
  media: number;
}

export interface HandsetBehaviour {
  number: string;
  power: 'on' | 'off';
  inbox: 'space' | 'full';
  /** Null: as usual. */
  receipt: { outcome: 'DELIVRD' | 'UNDELIV' | 'EXPIRED' | 'none'; afterMs: number } | null;
  /** Null: as usual. */
  autoReply: { text: string | null; textLength?: number; afterMs: number } | null;
}

export interface HandsetSettings {
  /** Off: messages are held, delivered when it is on again, and EXPIRED after 10 minutes. */
  power?: 'on' | 'off' | null;
  /** Full: messages become UNDELIV. */
  inbox?: 'space' | 'full' | null;
  /** By default the number’s own receipt. */
  receipt?: {
    outcome: 'DELIVRD' | 'UNDELIV' | 'EXPIRED' | 'none';
    /** 400 when left out. */
    afterMs?: number | null;
  } | null;
  /** By default the number’s own answer. At most one to the same number within 3 s. */
  autoReply?: {
    text: string;
    /** 1000 when left out. */
    afterMs?: number | null;
  } | null;
}

export interface SandboxFaults {
  refuseBind: boolean;
  throttlePerSecond: number | null;
  loseReceiptsPercent: number;
  duplicateReceipts: boolean;
  answerAfterMs: number;
  receiptFirst: boolean;
  errorPercent: number;
}

export interface SandboxFaultSettings {
  /** Binds are refused with ESME_RBINDFAIL. For every company of this gateway, so it ends after 10 minutes. */
  refuseBind?: boolean | null;
  /** More submissions in a second get ESME_RTHROTTLED; null = no limit. */
  throttlePerSecond?: number | null;
  /** Percentage of receipts that are lost. */
  loseReceiptsPercent?: number | null;
  /** Each receipt comes twice. */
  duplicateReceipts?: boolean | null;
  /** Delay of the answer to a submission. 0 when left out. */
  answerAfterMs?: number | null;
  /** The receipt comes before the answer to the submission. */
  receiptFirst?: boolean | null;
  /** Percentage of submissions refused with some ESME_*. */
  errorPercent?: number | null;
  /** Write-only. Happens once: every SMPP session of the sandbox is closed, for every company of this gateway. */
  dropLink?: boolean | null;
}

export interface WireEntry {
  id: string;
  at: string;
  link: 'smpp' | 'mm7' | 'mm4';
  direction: 'to_carrier' | 'to_gateway';
  /** `submit_sm`, `SubmitReq`, `MM4_forward.REQ` … */
  command: string;
  /** sequence_number, or transaction id. */
  sequence: string | null;
  /** Of an answer: `ESME_ROK`, `1000`, `250` … */
  status: string | null;
  /** Your number; null for PDUs of the link itself. */
  own: string | null;
  handset: string | null;
  /** The carrier's id of the message. */
  messageId: string | null;
  data_coding: number | null;
  esm_class: number | null;
  /** What it says, cut. */
  text: string | null;
  textLength?: number;
  sizeBytes: number;
  /** Its first octets. */
  hex: string | null;
  hexLength?: number;
}

export interface DemoTraffic {
  messages: number;
  from: string;
  until: string;
}

export interface SandboxCarrier {
  binds: string[];
  /** Where its SMPP server listens: host and port. */
  address: string;
}

export interface ReceivedWebhook {
  /** A new one for each attempt, unlike the header `webhook-id`. */ id: string;
  receivedAt: string;
  /** Names in lower case. */
  headers: Record<string, string>;
  /** The raw body, which the signature covers. */
  body: string | null;
  bodyLength?: number;
  signature:
    | {
        valid: true;
        /** The secret that signed it. */
        by: 'current' | 'old';
        until: string | null;
        /** How old `webhook-timestamp` was on arrival. */
        skewSeconds: number;
      }
    | {
        valid: false;
        /** As in `@heliograph/client`. */
        reason: string;
        detail: string;
        /** How old `webhook-timestamp` was on arrival. */
        skewSeconds: number | null;
      };
  /** The HTTP status it was answered with. */
  answered: number;
}

export interface InboxAnswer {
  status: number;
  delayMs: number;
}

export interface SandboxRoutes {
  'DELETE /sandbox/demo': {
    query: Record<never, never>;
    body: undefined;
    answer: { removed: number };
  };
  'GET /sandbox/carrier': {
    query: Record<never, never>;
    body: undefined;
    answer: SandboxCarrier;
  };
  'GET /sandbox/demo': {
    query: Record<never, never>;
    body: undefined;
    answer: DemoTraffic | null;
  };
  'GET /sandbox/faults': {
    query: Record<never, never>;
    body: undefined;
    answer: SandboxFaults;
  };
  'GET /sandbox/handsets': {
    query: Record<never, never>;
    body: undefined;
    answer: Handset[];
  };
  'GET /sandbox/handsets/:number/behaviour': {
    query: Record<never, never>;
    body: undefined;
    answer: HandsetBehaviour;
  };
  'GET /sandbox/handsets/:number/media/:mediaId': {
    query: Record<never, never>;
    body: undefined;
    answer: never;
  };
  'GET /sandbox/handsets/:number/messages': {
    query: { after?: string | null; wait?: number | null };
    body: undefined;
    answer: HandsetMessage[];
  };
  'GET /sandbox/handsets/:number/sent': {
    query: { after?: string | null; wait?: number | null };
    body: undefined;
    answer: HandsetMessage[];
  };
  'GET /sandbox/webhooks': {
    query: { after?: string | null; wait?: number | null };
    body: undefined;
    answer: ReceivedWebhook[];
  };
  'GET /sandbox/webhooks/answer': {
    query: Record<never, never>;
    body: undefined;
    answer: InboxAnswer;
  };
  'GET /sandbox/wire': {
    query: { number?: string | null; after?: string | null; wait?: number | null };
    body: undefined;
    answer: WireEntry[];
  };
  'POST /sandbox/demo': {
    query: Record<never, never>;
    body: unknown;
    answer: DemoTraffic;
  };
  'POST /sandbox/faults': {
    query: Record<never, never>;
    body: SandboxFaultSettings;
    answer: SandboxFaults;
  };
  'POST /sandbox/handsets/:number/behaviour': {
    query: Record<never, never>;
    body: HandsetSettings;
    answer: HandsetBehaviour;
  };
  'POST /sandbox/handsets/:number/reply': {
    query: Record<never, never>;
    body: HandsetReply;
    answer: QueuedReply;
  };
  'POST /sandbox/reset': {
    query: Record<never, never>;
    body: unknown;
    answer: Record<string, never>;
  };
  'POST /sandbox/webhooks/answer': {
    query: Record<never, never>;
    body: {
      /** 200 when left out. */ status?: number | null;
      /** 0 when left out. */
      delayMs?: number | null;
    };
    answer: InboxAnswer;
  };
}
