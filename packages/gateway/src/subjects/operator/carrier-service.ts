/**
 * Carriers for operators: live figures, create and change (secrets are write-only), pause, connection test, PDU log.
 * Adding, changing or enabling a live carrier requires a second factor; disabling and pausing never do.
 */
import type { ConnectionStep } from '../../carriers/kind.ts';
import { kindOf } from '../../carriers/kinds.ts';
import { settingAt } from '../../carriers/setting.ts';
import { carrierSettings, secretsOf } from '../../carriers/settings.ts';
import type { Clock } from '../../kernel/clock.ts';
import { recordVersion } from '../../kernel/record-version.ts';
import type { LaneReport } from '../../messaging/send-queue/lane-meter.ts';
import type { Lanes } from '../../messaging/send-queue/lanes.ts';
import { limitingFactor, plainReason } from '../../messaging/send-queue/limiting-factor.ts';
import type { MessageStore } from '../../messaging/store/modules/messages.ts';
import type { RecordsStore } from '../../messaging/store/modules/records.ts';
import type { Directory } from '../../model/directory.ts';
import type { LoggedPdu } from '../../model/logged-pdu.ts';
import { fault, type Person, type Refusal } from '../../model/person.ts';
import {
  type CarrierRecord,
  type Environment,
  type MessageKind,
  profileOf,
  type Records,
} from '../../model/records.ts';
import { hasSecondFactor } from '../../model/second-factor-rule.ts';
import {
  type Changed,
  changedSince,
  difference,
  type Form,
  type RecordRules,
  type RecordsService,
} from './records-service.ts';

const logMinutesMax = 30;

export interface CarrierView {
  carrierId: string;
  name: string;
  kind: CarrierRecord['kind'];
  /** Name of the kind, for people. */
  kindTitle: string;
  /** Kinds of message. */
  takes: readonly MessageKind[];
  environment: Environment;
  enabled: boolean;
  /** Managed by the gateway itself: people can only pause it. */
  isSimulated: boolean;
  settings: Record<string, unknown>;
  secrets: Record<string, boolean>;
  version: string;
  paused: boolean;
  /** Null while it is disabled. */
  live: LaneReport | null;
  queue: { waiting: number; oldestAt: number | null };
  limit: string;
  usesTls: boolean;
  asksForReceipts: boolean;
  /** It is running and has connections that can be retried at once. */
  canRetry: boolean;
  /** With several nodes, the name of the one that has its send queue; null while none has it, or with a single node. */
  node: string | null;
  /** Null without a PDU log; else until when it is recorded. */
  log: { until: number | null } | null;
}

export interface Saved {
  carrierId: string;
  /** Warnings about settings that are allowed. */
  warnings: string[];
}

export interface CarrierService {
  list(): Promise<CarrierView[]>;
  look(carrierId: string): Promise<CarrierView | null>;
  /** `carrierId` null: adds one. `version`: of the record that was edited. */
  save(
    person: Person,
    request: { carrierId: string | null; version: string; form: Form },
  ): Promise<{ kind: 'done'; result: Saved } | Refusal | Changed>;
  /** Sends no message. */
  test(form: Form): Promise<{ kind: 'done'; steps: ConnectionStep[] } | Refusal>;
  /** Reconnects at once; false when it is not running or has no permanent connections. */
  retry(carrierId: string): boolean;
  /** False for an unknown carrier. */
  pause(carrierId: string, paused: boolean): Promise<boolean>;
  /** Null when the carrier is not running or has no log. */
  log(carrierId: string): { until: number | null; entries: LoggedPdu[] } | null;
  keepLog(carrierId: string, minutes: number): { until: number | null; entries: LoggedPdu[] } | null;
}

export interface CarrierServiceParts {
  clock: Clock;
  store: Pick<MessageStore, 'queueCounts'> & Pick<RecordsStore, 'records'>;
  lanes: Pick<Lanes, 'report' | 'isPaused' | 'pause' | 'carrier' | 'nodeOf'>;
  directory(): Directory;
  service: RecordsService;
  rules: RecordRules;
  /** Connects, signs in, disconnects; uses the stored secrets. */
  testConnection(record: CarrierRecord): Promise<ConnectionStep[]>;
}

export function createCarrierService(parts: CarrierServiceParts): CarrierService {
  const { clock, service, directory, lanes, rules, store } = parts;

  async function queues(): Promise<Map<string, CarrierView['queue']>> {
    const counts = await store.queueCounts();
    return new Map(counts.map((one) => [one.lane, { waiting: one.queued, oldestAt: one.oldestDueAt }]));
  }

  function view(record: CarrierRecord, queue: CarrierView['queue'] = { waiting: 0, oldestAt: null }): CarrierView {
    const { carrierId, name, kind, environment, enabled } = record;
    const paused = lanes.isPaused(carrierId);
    const live = lanes.report(carrierId);
    const running = lanes.carrier(carrierId);
    const { title, takes, usesTls, asksForReceipts } = kindOf(record);
    const profile = profileOf(record);
    return {
      carrierId,
      name,
      kind,
      kindTitle: title,
      takes,
      environment,
      enabled,
      isSimulated: environment === 'sandbox',
      ...carrierSettings(record),
      version: recordVersion(record),
      paused,
      live,
      queue,
      limit: limitingFactor({ record, report: live, paused, queued: queue.waiting }),
      usesTls: usesTls(profile),
      asksForReceipts: asksForReceipts(profile),
      canRetry: running?.retry !== undefined,
      node: lanes.nodeOf(carrierId),
      log: running?.log === undefined ? null : { until: running.log.until() },
    };
  }

  function judge(person: Person, records: Records, carrierId: string | null, version: string, form: Form) {
    const earlier = records.carriers.find((one) => one.carrierId === (carrierId ?? form.id));
    if (carrierId === null && earlier !== undefined) return fault('id', 'There is a carrier with this id already.');
    if (carrierId !== null && earlier === undefined) return noCarrier;
    const changed = earlier === undefined ? null : changedSince(earlier, version, () => view(earlier));
    if (changed !== null) return changed;
    const judged = rules.carrier(carrierId === null ? form : { ...form, id: carrierId }, records);
    if (!judged.ok) return { kind: 'fields', fields: judged.fields } as const;
    const { record, warnings } = judged;
    if (!hasSecondFactor(person.user) && !isSwitchedOffOnly(earlier, record)) return secondFactorNeeded;
    const note = difference(earlier === undefined ? {} : auditFields(earlier), auditFields(record));
    const what = earlier === undefined ? 'carrier.added' : 'carrier.changed';
    return {
      kind: 'edit' as const,
      put: { carriers: [record] },
      note: note === null ? null : { what, target: record.carrierId, ...withSecretsNoted(note, earlier, record) },
      result: { carrierId: record.carrierId, warnings },
    };
  }

  /** Failures in plain words, followed by the system's message. */
  async function tried(record: CarrierRecord): Promise<{ kind: 'done'; steps: ConnectionStep[] }> {
    const steps = await parts.testConnection(record);
    return {
      kind: 'done',
      steps: steps.map((step) => {
        const plain = step.ok ? undefined : plainReason(step.detail);
        return plain === undefined ? step : { ...step, detail: `${plain} (${step.detail})` };
      }),
    };
  }

  return {
    async list() {
      const waiting = await queues();
      return directory().records.carriers.map((record) => view(record, waiting.get(record.carrierId)));
    },
    async look(carrierId) {
      const record = directory().carrier(carrierId);
      return record === undefined ? null : view(record, (await queues()).get(carrierId));
    },
    save: (person, { carrierId, version, form }) =>
      service.edit(person, (records) => judge(person, records, carrierId, version, form)),
    async test(form) {
      const records = await store.records();
      const earlier = records.carriers.find((one) => one.carrierId === form.id);
      // The gateway manages it and nobody can change it, so its stored settings are tested.
      if (earlier?.environment === 'sandbox') return tried(earlier);
      const judged = rules.carrier(form, records);
      if (!judged.ok) return { kind: 'fields', fields: judged.fields };
      const unwritten = earlier === undefined ? undefined : unwrittenPassword(form, earlier);
      if (earlier !== undefined && peerOf(earlier) !== peerOf(judged.record) && unwritten !== undefined) {
        return fault(unwritten, 'The address is new: enter the password too. The stored one is not sent there.');
      }
      return tried(judged.record);
    },
    async pause(carrierId, paused) {
      if (directory().carrier(carrierId) === undefined) return false;
      if (lanes.isPaused(carrierId) !== paused) await lanes.pause(carrierId, paused);
      return true;
    },
    retry(carrierId) {
      const retry = lanes.carrier(carrierId)?.retry;
      retry?.();
      return retry !== undefined;
    },
    log(carrierId) {
      const log = lanes.carrier(carrierId)?.log;
      return log === undefined ? null : { until: log.until(), entries: log.entries() };
    },
    keepLog(carrierId, minutes) {
      const log = lanes.carrier(carrierId)?.log;
      if (log === undefined) return null;
      log.keep(minutes === 0 ? null : clock.now() + Math.min(minutes, logMinutesMax) * 60_000);
      return { until: log.until(), entries: log.entries() };
    },
  };
}

/** Always allowed: `enabled` changes from on to off, and nothing else changes. */
function isSwitchedOffOnly(earlier: CarrierRecord | undefined, record: CarrierRecord): boolean {
  return earlier !== undefined && !record.enabled && difference({ ...earlier, enabled: false }, { ...record }) === null;
}

function auditFields(record: CarrierRecord): Record<string, unknown> {
  const { name, kind, enabled } = record;
  return { name, kind, enabled, ...carrierSettings(record).settings, sealed: sealedOf(record) };
}

/** For secrets records only that they changed, not even their sealed forms. */
function withSecretsNoted(
  note: { before: Record<string, unknown>; after: Record<string, unknown> },
  earlier: CarrierRecord | undefined,
  record: CarrierRecord,
) {
  const { sealed: _, ...before } = note.before;
  const { sealed: __, ...after } = note.after;
  const areOthers = earlier === undefined || sealedOf(earlier) !== sealedOf(record);
  return {
    before: earlier === undefined ? null : before,
    after: { ...after, ...(areOthers && { credentials: 'changed' }) },
  };
}

function sealedOf(record: CarrierRecord): string {
  return Object.values(secretsOf(record)).join(' ');
}

/** The address that would get the secrets. */
function peerOf(record: CarrierRecord): string {
  return kindOf(record).peer(profileOf(record));
}

/** A stored password that would be sent to the carrier and that the form does not repeat. */
function unwrittenPassword(form: Form, earlier: CarrierRecord): string | undefined {
  const { secrets } = carrierSettings(earlier);
  const sent = kindOf(earlier).settings.filter(({ type, group }) => type === 'password' && group !== 'inbound');
  return sent.find(({ name }) => secrets[name] === true && (settingAt(form, name) ?? '') === '')?.name;
}

const noCarrier: Refusal = { kind: 'missing', detail: 'There is no carrier with this id.' };
const secondFactorNeeded: Refusal = {
  kind: 'forbidden',
  detail:
    'A carrier that reaches real telephones needs two-factor sign-in. Turn it on in your profile, then do this again. You can pause or switch off a carrier without it.',
};
