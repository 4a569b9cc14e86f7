/** Shapes of the answers in `carrier-admin-routes.ts`. */
import {
  anything,
  byName,
  content,
  decimal,
  either,
  flag,
  list,
  named,
  object,
  oneOf,
  optional,
  orNull,
  plain,
  time,
  whole,
} from '../../http/shape.ts';

export const carrierBind = named(
  'CarrierBind',
  object({
    state: plain(),
    detail: orNull(plain()),
    window: whole(),
    inFlight: whole(),
    protocolErrors: optional(
      whole('Protocol violations of the carrier since the start; absent where they are not counted.'),
    ),
    kind: orNull(oneOf(['transceiver', 'transmitter', 'receiver'])),
    since: orNull(plain('When it bound, or was lost.')),
    heardAt: orNull(time),
    enquireLinkAt: orNull(time),
  }),
);

export const carrierCertificate = named(
  'CarrierCertificate',
  object({
    subject: content(),
    issuer: plain(),
    names: plain(),
    validFrom: plain(),
    validTo: plain(),
    fingerprint256: plain(),
    daysLeft: orNull(whole('Null while no warning is needed; negative after the end.')),
  }),
);

export const carrierLive = named(
  'CarrierLive',
  object({
    tries: whole(),
    refused: whole(),
    throttled: whole(),
    silentSince: orNull(whole('Milliseconds since the epoch.')),
    status: object({
      carrierId: plain(),
      up: flag(),
      binds: list(carrierBind),
      certificate: orNull(carrierCertificate),
      refusedCertificate: orNull(carrierCertificate),
      listening: optional(
        orNull(
          object({
            host: plain(),
            port: whole(),
          }),
        ),
      ),
    }),
    since: plain(),
    detail: orNull(plain()),
    inFlight: whole(),
    outPerSecond: decimal(),
    inPerSecond: decimal(),
    outHistory: list(whole()),
    accepted: whole(),
    receipts: whole(),
    reported: orNull(
      object({
        looked: whole('Parts taken a minute ago or longer.'),
        share: decimal('Of these, those with a final receipt; 0 to 1.'),
        p50Ms: orNull(decimal()),
      }),
    ),
    responseP95Ms: orNull(decimal()),
  }),
);

export const carrierShown = named(
  'CarrierShown',
  object({
    carrierId: plain(),
    name: plain(),
    kind: plain(),
    kindTitle: plain('Name of the kind for people.'),
    takes: list(oneOf(['SMS', 'MMS'])),
    environment: oneOf(['sandbox', 'live']),
    enabled: flag(),
    isSimulated: flag(),
    settings: byName(anything()),
    secrets: byName(flag()),
    version: plain(),
    paused: flag(),
    live: orNull(carrierLive),
    queue: object({
      waiting: whole(),
      oldestAt: orNull(time),
    }),
    limit: plain(),
    usesTls: flag(),
    asksForReceipts: flag('Without requested receipts, a missing one means nothing.'),
    canRetry: flag('It has permanent connections, which can be tried at once.'),
    node: orNull(plain('Of several gateways the one that has its connections; null where there is only one.')),
    log: orNull(
      object({
        until: orNull(plain()),
      }),
    ),
  }),
);

export const connectionTested = named(
  'ConnectionTested',
  object({
    ok: flag(),
    steps: list(
      object({
        step: plain(),
        ok: flag(),
        detail: plain(),
        tookMs: whole(),
      }),
    ),
  }),
);

export const kindSetting = named(
  'KindSetting',
  object({
    name: plain('As in a records file; inner ones with a dot.'),
    group: plain(),
    type: oneOf(['number', 'choice', 'text', 'flag', 'list', 'password', 'certificates', 'privateKey']),
    secret: flag('Write-only: never shown.'),
    required: flag(),
    default: anything(),
    unit: orNull(oneOf(['ms', 'bytes', 'perSecond'])),
    min: orNull(whole()),
    max: orNull(whole()),
    choices: orNull(list(plain())),
    allowed: orNull(plain()),
    needs: orNull(object({ setting: plain(), is: list(either(plain(), flag())) })),
    description: orNull(plain()),
  }),
);

export const carrierKindShown = named(
  'CarrierKindShown',
  object({
    takes: list(oneOf(['SMS', 'MMS'])),
    name: plain(),
    title: plain(),
    carries: plain('Kinds of messages, and the protocol.'),
    fields: list(kindSetting),
  }),
);

export const pduEntry = named(
  'PduEntry',
  object({
    at: time,
    bind: whole(),
    direction: oneOf(['out', 'in']),
    command: plain(),
    sequence: orNull(whole()),
    status: orNull(plain()),
    fields: byName(either(plain(), whole())),
    hex: orNull(content()),
  }),
);
