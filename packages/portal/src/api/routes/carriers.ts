/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface CarrierShown {
  carrierId: string;
  name: string;
  kind: string;
  /** Name of the kind for people. */
  kindTitle: string;
  takes: ('SMS' | 'MMS')[];
  environment: 'sandbox' | 'live';
  enabled: boolean;
  isSimulated: boolean;
  settings: Record<string, unknown>;
  secrets: Record<string, boolean>;
  version: string;
  paused: boolean;
  live: CarrierLive | null;
  queue: { waiting: number; oldestAt: string | null };
  limit: string;
  usesTls: boolean;
  /** Without requested receipts, a missing one means nothing. */
  asksForReceipts: boolean;
  /** It has permanent connections, which can be tried at once. */
  canRetry: boolean;
  /** Of several gateways the one that has its connections; null where there is only one. */
  node: string | null;
  log: { until: string | null } | null;
}

export interface CarrierLive {
  tries: number;
  refused: number;
  throttled: number;
  /** Milliseconds since the epoch. */
  silentSince: number | null;
  status: {
    carrierId: string;
    up: boolean;
    binds: CarrierBind[];
    certificate: CarrierCertificate | null;
    refusedCertificate: CarrierCertificate | null;
    listening?: { host: string; port: number } | null;
  };
  since: string;
  detail: string | null;
  inFlight: number;
  outPerSecond: number;
  inPerSecond: number;
  outHistory: number[];
  accepted: number;
  receipts: number;
  reported: {
    /** Parts taken a minute ago or longer. */ looked: number;
    /** Of these, those with a final receipt; 0 to 1. */
    share: number;
    p50Ms: number | null;
  } | null;
  responseP95Ms: number | null;
}

export interface CarrierBind {
  state: string;
  detail: string | null;
  window: number;
  inFlight: number;
  /** Protocol violations of the carrier since the start; absent where they are not counted. */
  protocolErrors?: number;
  kind: 'transceiver' | 'transmitter' | 'receiver' | null;
  /** When it bound, or was lost. */
  since: string | null;
  heardAt: string | null;
  enquireLinkAt: string | null;
}

export interface CarrierCertificate {
  subject: string | null;
  subjectLength?: number;
  issuer: string;
  names: string;
  validFrom: string;
  validTo: string;
  fingerprint256: string;
  /** Null while no warning is needed; negative after the end. */
  daysLeft: number | null;
}

export interface CarrierKindShown {
  takes: ('SMS' | 'MMS')[];
  name: string;
  title: string;
  /** Kinds of messages, and the protocol. */
  carries: string;
  fields: KindSetting[];
}

export interface KindSetting {
  /** As in a records file; inner ones with a dot. */ name: string;
  group: string;
  type: 'number' | 'choice' | 'text' | 'flag' | 'list' | 'password' | 'certificates' | 'privateKey';
  /** Write-only: never shown. */
  secret: boolean;
  required: boolean;
  default: unknown;
  unit: 'ms' | 'bytes' | 'perSecond' | null;
  min: number | null;
  max: number | null;
  choices: string[] | null;
  allowed: string | null;
  needs: { setting: string; is: (string | boolean)[] } | null;
  description: string | null;
}

export interface SavedCarrier {
  carrierId: string;
  warnings: string[];
}

export interface ConnectionTested {
  ok: boolean;
  steps: { step: string; ok: boolean; detail: string; tookMs: number }[];
}

export interface PduLog {
  until: string | null;
  entries: PduEntry[];
}

export interface PduEntry {
  at: string;
  bind: number;
  direction: 'out' | 'in';
  command: string;
  sequence: number | null;
  status: string | null;
  fields: Record<string, string | number>;
  hex: string | null;
  hexLength?: number;
}

export interface CarrierErrors {
  looked: number;
  since: string | null;
  errors: {
    carrier: string;
    state: string;
    code: string | null;
    carrierCode: string | null;
    count: number;
    lastAt: string;
  }[];
}

export interface CarrierBackups {
  looked: number;
  isAll: boolean;
  backups: { carrierId: string; name: string; up: boolean; paused: boolean; fits: number }[];
}

export interface CarriersRoutes {
  'GET /carriers': {
    query: Record<never, never>;
    body: undefined;
    answer: CarrierShown[];
  };
  'GET /carriers/:carrierId': {
    query: Record<never, never>;
    body: undefined;
    answer: CarrierShown;
  };
  'GET /carriers/:carrierId/backups': {
    query: Record<never, never>;
    body: undefined;
    answer: CarrierBackups;
  };
  'GET /carriers/:carrierId/log': {
    query: Record<never, never>;
    body: undefined;
    answer: PduLog;
  };
  'GET /carriers/errors': {
    query: Record<never, never>;
    body: undefined;
    answer: CarrierErrors;
  };
  'GET /carriers/kinds': {
    query: Record<never, never>;
    body: undefined;
    answer: CarrierKindShown[];
  };
  'POST /carriers': {
    query: Record<never, never>;
    body: { record?: unknown; version?: string };
    answer: SavedCarrier;
  };
  'POST /carriers/:carrierId': {
    query: Record<never, never>;
    body: { record?: unknown; version?: string };
    answer: SavedCarrier;
  };
  'POST /carriers/:carrierId/log': {
    query: Record<never, never>;
    body: { minutes: number };
    answer: PduLog;
  };
  'POST /carriers/:carrierId/pause': {
    query: Record<never, never>;
    body: { paused: boolean };
    answer: { paused: boolean };
  };
  'POST /carriers/:carrierId/retry': {
    query: Record<never, never>;
    body: unknown;
    answer: Record<string, never>;
  };
  'POST /carriers/:carrierId/send-via': {
    query: Record<never, never>;
    body: { to: string };
    answer: { moved: number; left: number };
  };
  'POST /carriers/test': {
    query: Record<never, never>;
    body: { record?: unknown; version?: string };
    answer: ConnectionTested;
  };
}
