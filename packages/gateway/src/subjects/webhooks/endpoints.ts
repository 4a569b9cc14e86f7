/**
 * Creates, changes, disables and deletes endpoints, one edit at a time. Secrets are sealed and appear once, on
 * creation. Endpoints of other accounts or environments do not exist for the caller.
 */
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import type { AccountId, Ids } from '../../kernel/ids.ts';
import { createReadWriteLock } from '../../kernel/read-write-lock.ts';
import { type Sealing, webhookHeaderPlace, webhookSecretPlace } from '../../kernel/sealed-place.ts';
import type { Secret } from '../../kernel/secret.ts';
import type { EventStore } from '../../messaging/store/modules/events.ts';
import type { RecordsStore } from '../../messaging/store/modules/records.ts';
import type { NewAuditEntry } from '../../model/people-audit.ts';
import { type Endpoint, type EndpointSecret, noRecords } from '../../model/records.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import {
  createEndpointCheck,
  type EndpointCheckParts,
  type EndpointFields,
  type EndpointOwner,
  endpointLimits,
  isOf,
} from './endpoint-check.ts';

export type EndpointOutcome =
  | {
      kind: 'done';
      endpoint: Endpoint;
      /** Set when the edit created one. */
      secret: Secret | null;
      /** The DNS does not know the host name at this moment. */
      unresolved: boolean;
      isPrivate?: boolean;
    }
  /** Unknown, or not the owner's. */
  | { kind: 'missing' }
  /** `detail` names the field and the reason. */
  | { kind: 'refused'; detail: string }
  /** Too many edits wait. Try again. */
  | { kind: 'busy' };

export interface EndpointService {
  /** Oldest first. */
  list(owner: EndpointOwner): Endpoint[];
  get(owner: EndpointOwner, endpointId: string): Endpoint | null;
  create(owner: EndpointOwner, fields: Partial<EndpointFields> & { url: string }): Promise<EndpointOutcome>;
  change(owner: EndpointOwner, endpointId: string, changes: Partial<EndpointFields>): Promise<EndpointOutcome>;
  disable(owner: EndpointOwner, endpointId: string): Promise<EndpointOutcome>;
  enable(owner: EndpointOwner, endpointId: string): Promise<EndpointOutcome>;
  remove(owner: EndpointOwner, endpointId: string): Promise<EndpointOutcome>;
  /** A new secret; the old ones keep signing for `overlapHours`. */
  rotate(owner: EndpointOwner, endpointId: string, overlapHours: number): Promise<EndpointOutcome>;
  /**
   * Disables an unreachable endpoint, and adds an event about it; does nothing when it is already disabled. Returns the
   * version of the records that shows it. Rejects when the store does.
   */
  disableBy(endpointId: string, why: 'failing' | 'gone'): Promise<number>;
}

export interface EndpointServiceParts extends EndpointCheckParts {
  store: Pick<RecordsStore, 'putRecords' | 'editRecords'> & Pick<EventStore, 'addEvents'>;
  /** Reloads the records, so that `directory` has the change. */
  refreshDirectory(): Promise<void>;
  sealer: Pick<Sealing, 'seal'>;
  ids: Pick<Ids, 'next'>;
  clock: Pick<Clock, 'now'>;
  createSecret(): Secret;
}

const hourMs = 3_600_000;
/** Retries after concurrent edits, before giving up for now. */
const triesMax = 20;

export function createEndpointService(parts: EndpointServiceParts): EndpointService {
  const { store, directory, clock, ids } = parts;
  const lock = createReadWriteLock();
  let waiting = 0;
  const missing = { kind: 'missing' } as const;

  const own = (owner: EndpointOwner): Endpoint[] =>
    directory()
      .endpointsOf(owner.accountId)
      .filter((endpoint) => isOf(endpoint, owner));
  const get = (owner: EndpointOwner, endpointId: string): Endpoint | null =>
    own(owner).find((endpoint) => endpoint.endpointId === endpointId) ?? null;

  /** Edits read a record and write it back, so concurrent ones would undo each other. */
  async function inTurn(work: () => Promise<EndpointOutcome>): Promise<EndpointOutcome> {
    if (waiting >= endpointLimits.editsWaiting) return { kind: 'busy' };
    waiting++;
    try {
      return await lock.exclusive(async () => {
        await parts.refreshDirectory();
        return work();
      });
    } finally {
      waiting--;
    }
  }

  async function write(endpoint: Endpoint): Promise<void> {
    await store.putRecords({ ...noChanges, endpoints: [endpoint] });
    await parts.refreshDirectory();
  }

  /** One edit: turns the present record into the one to store; null leaves it unchanged. */
  function edit(
    owner: EndpointOwner,
    endpointId: string,
    make: (endpoint: Endpoint) => Endpoint | null,
  ): Promise<EndpointOutcome> {
    return inTurn(async () => {
      const endpoint = get(owner, endpointId);
      if (endpoint === null) return missing;
      const edited = make(endpoint);
      if (edited !== null) await write(edited);
      return { kind: 'done', endpoint: edited ?? endpoint, secret: null, unresolved: false };
    });
  }

  const sealedSecret = (endpointId: string, secret: Secret): string =>
    parts.sealer.seal(secret.reveal(), webhookSecretPlace(endpointId));
  const sealedHeader = (endpointId: string, header: EndpointFields['header']): Endpoint['header'] =>
    header && { name: header.name, value: parts.sealer.seal(header.value, webhookHeaderPlace(endpointId)) };
  const check = createEndpointCheck(parts);

  return {
    list: own,
    get,
    create: async ({ accountId, environment }, fields) => {
      const owner = { accountId, environment };
      const checked = await check(owner, fields);
      if (checked.kind === 'refused') return checked;
      return inTurn(async () => {
        const now = clock.now();
        const detail = tooMany(directory().records.endpoints, accountId, now);
        if (detail !== null) return { kind: 'refused', detail };
        const secret = parts.createSecret();
        const endpointId = ids.next('ep_');
        const endpoint: Endpoint = {
          ...newEndpoint(fields, now),
          ...owner,
          endpointId,
          header: sealedHeader(endpointId, fields.header ?? null),
          secrets: [{ secret: sealedSecret(endpointId, secret), expiresAt: null, since: clock.now() }],
        };
        await write(endpoint);
        const { unresolved, isPrivate } = checked;
        return { kind: 'done', endpoint, secret, unresolved, isPrivate };
      });
    },
    change: async (owner, endpointId, changes) => {
      if (get(owner, endpointId) === null) return missing;
      const checked = await check(owner, changes);
      if (checked.kind === 'refused') return checked;
      const { header, ...others } = changes;
      const outcome = await edit(owner, endpointId, (endpoint) => ({
        ...endpoint,
        ...others,
        ...(header !== undefined && { header: sealedHeader(endpointId, header) }),
      }));
      return outcome.kind === 'done'
        ? { ...outcome, unresolved: checked.unresolved, isPrivate: checked.isPrivate }
        : outcome;
    },
    disable: (owner, endpointId) =>
      edit(owner, endpointId, (endpoint) =>
        endpoint.disabled === null ? { ...endpoint, disabled: { at: clock.now(), why: 'by hand' } } : null,
      ),
    enable: (owner, endpointId) =>
      edit(owner, endpointId, (endpoint) => (endpoint.disabled === null ? null : { ...endpoint, disabled: null })),
    remove: (owner, endpointId) =>
      edit(owner, endpointId, (endpoint) => ({ ...endpoint, header: null, deletedAt: clock.now() })),
    rotate: async (owner, endpointId, overlapHours) => {
      const secret = parts.createSecret();
      const outcome = await edit(owner, endpointId, (endpoint) => ({
        ...endpoint,
        secrets: rotated(endpoint.secrets, sealedSecret(endpointId, secret), clock.now(), overlapHours * hourMs),
      }));
      return outcome.kind === 'done' ? { ...outcome, secret } : outcome;
    },
    disableBy: (endpointId, why) =>
      lock.exclusive(async () => {
        const at = clock.now();
        let hasEvent = false;
        for (let tries = 0; tries < triesMax; tries++) {
          await parts.refreshDirectory();
          const { version } = directory();
          const endpoint = directory().endpoint(endpointId);
          if (endpoint === undefined || endpoint.disabled !== null) return version;
          const { accountId, url } = endpoint;
          const data = { endpointId, url, why, at: new Date(at).toISOString() };
          // The notice first: a crash in between then causes two notices, in the other order none.
          if (!hasEvent) {
            await store.addEvents([{ eventId: ids.next('evt_'), accountId, type: 'endpoint.disabled', at, data }]);
          }
          hasEvent = true;
          const put = { endpoints: [{ ...endpoint, disabled: { at, why } }] };
          const audit = [disabledNote(accountId, endpointId, { at, why })];
          if ((await store.editRecords({ version, put, dropRoutes: [], audit })) === null) continue;
          await parts.refreshDirectory();
          return directory().version;
        }
        throw new StoreUnavailable('busy', 'The records change too often to disable an endpoint.');
      }),
  };
}

const noChanges = noRecords();

/** An action of the gateway itself. */
function disabledNote(accountId: AccountId, target: string, { at, why }: { at: EpochMs; why: string }): NewAuditEntry {
  const who = { userId: null, who: 'the gateway', address: null, requestId: null };
  return {
    ...who,
    at,
    accountId,
    what: 'endpoint.disabled',
    target,
    before: { disabled: false },
    after: { disabled: true, why },
  };
}

/** The new secret and those that still sign, none longer than the overlap. */
function rotated(secrets: readonly EndpointSecret[], fresh: string, now: EpochMs, overlapMs: number): EndpointSecret[] {
  const old = secrets
    .map((one) => ({ ...one, expiresAt: Math.min(one.expiresAt ?? Infinity, now + overlapMs) }))
    .filter(({ expiresAt }) => expiresAt > now);
  return [{ secret: fresh, expiresAt: null, since: now }, ...old].slice(0, endpointLimits.secrets);
}

/** A new record without its owner and its sealed fields. */
function newEndpoint(fields: Partial<EndpointFields> & { url: string }, now: EpochMs) {
  const { url, name = URL.parse(url)?.host ?? '', types = null, format = 'standard' } = fields;
  const { number = null, campaignId = null, timeoutMs = null } = fields;
  const shortName = name.slice(0, endpointLimits.nameCharacters);
  const settings = { name: shortName, url, types, format, number, campaignId, timeoutMs };
  return { ...settings, createdAt: now, disabled: null, deletedAt: null };
}

/** Limits count over both environments of the account. */
function tooMany(endpoints: readonly Endpoint[], accountId: AccountId, now: EpochMs): string | null {
  const all = endpoints.filter((endpoint) => endpoint.accountId === accountId);
  if (all.filter(({ deletedAt }) => deletedAt === null).length >= endpointLimits.perAccount) {
    return `Your account has ${endpointLimits.perAccount} endpoints, which is the limit. Delete one first.`;
  }
  return all.filter(({ createdAt }) => createdAt > now - 24 * hourMs).length >= endpointLimits.createdPerDay
    ? `Your account made ${endpointLimits.createdPerDay} endpoints within 24 hours. Change one instead.`
    : null;
}
