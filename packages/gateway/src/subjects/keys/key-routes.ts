/**
 * `/keys`: list, create, change, rotate, revoke and test key pairs. Tokens appear once, in the answer that creates
 * them.
 */
import { allowsAddress } from '../../http/credentials.ts';
import { isoTime } from '../../http/envelope.ts';
import { type Answer, success } from '../../http/exchange.ts';
import { param } from '../../http/guard.ts';
import { conflict, fieldFaults, refusalAnswer } from '../../http/portal/answers.ts';
import { environments } from '../../http/portal/environments.ts';
import { form, required } from '../../http/portal/forms.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import { fresh, type JsonPortalCall, type PortalCall, type PortalRoutes } from '../../http/portal/portal-guard.ts';
import { answers, ownBody } from '../../http/route.ts';
import type { RouteDeps } from '../../http/server.ts';
import { list } from '../../http/shape.ts';
import type { Random } from '../../kernel/clock.ts';
import { recordVersion } from '../../kernel/record-version.ts';
import type { RecordsStore } from '../../messaging/store/modules/records.ts';
import { scopesOf } from '../../model/people.ts';
import type { ApiKey } from '../../model/records.ts';
import type { SystemStore } from '../../store/system/module.ts';
import type { RequestLogStore } from '../request-log/store/module.ts';
import { type AddressRefusal, addressRefusals } from './address-refusals.ts';
import { judgeCredentials } from './credential-verdict.ts';
import {
  createKeyService,
  type KeyOutcome,
  type KeyOwner,
  type KeyService,
  keyLimits,
  keyStatus,
  type NewTokens,
  type NotDone,
} from './key-service.ts';
import { credentialsVerdict, keyPair, newPair } from './key-shapes.ts';
import { createKeyUses, type KeyUses, type LastUse } from './key-uses.ts';

export interface KeyRouteParts {
  store: Pick<RecordsStore, 'putRecords'> &
    Pick<SystemStore, 'getSetting' | 'putSetting'> &
    Pick<RequestLogStore, 'requests'>;
  refreshDirectory(): Promise<unknown>;
  random: Random;
  /** An IP address or a CIDR block. */
  isAddressOrBlock(text: string): boolean;
  /** Whether the simulated carrier runs. */
  sandbox: boolean;
}

export function keyRoutes(parts: KeyRouteParts): PortalModule {
  return (routes, deps) => {
    const uses = createKeyUses({ store: parts.store, logger: deps.logger });
    deps.onKeyUse(uses.used);
    const service = createKeyService({ ...deps, ...parts });
    addReading(routes, deps, service, { uses, store: parts.store });
    addEdits(routes, deps, service, parts);
  };
}

function addReading(
  routes: PortalRoutes,
  { directory, clock }: RouteDeps,
  service: KeyService,
  { uses, store }: { uses: KeyUses; store: KeyRouteParts['store'] },
): void {
  routes.add({
    method: 'GET',
    path: '/keys',
    access: 'read',
    answer: answers(list(keyPair), 'All of them, newest first'),
    work: async ({ account, may }) => {
      const whole = may('manageKeys');
      const keys = service.list(account.accountId);
      const context = { store, now: clock.now(), allows: allowsAddress };
      const refusals = whole ? await addressRefusals(keys, context) : noRefusals;
      const shown = await Promise.all(
        keys.map(async (key) => {
          const lastUse = await uses.lastUse(key.keyId);
          const lastRefusal = refusals.get(key.keyId) ?? null;
          return shownKey(key, clock.now(), { whole, lastUse, lastRefusal });
        }),
      );
      return success(`${shown.length} key pairs, newest first.`, shown);
    },
  });

  routes.add({
    method: 'POST',
    path: '/keys/test',
    access: 'manageKeys',
    body: form({ bearerToken: required, authToken: required }),
    answer: answers(credentialsVerdict, 'Whether both work together, and what is wrong with each'),
    work: ({ body, account, environment }) => {
      const query = { ...body, accountId: account.accountId, environment, now: clock.now() };
      const verdict = judgeCredentials(directory(), query);
      return success(verdict.sentence, verdict);
    },
  });
}

type Done<Tokens> = Extract<KeyOutcome<Tokens>, { kind: 'done' }>;

function addEdits(routes: PortalRoutes, { clock }: RouteDeps, service: KeyService, { sandbox }: KeyRouteParts): void {
  function notDone(outcome: NotDone): Answer<never> {
    if (outcome.kind !== 'stale') return refusalAnswer(outcome);
    const current = shownKey(outcome.current, clock.now(), { whole: true, lastUse: null });
    return conflict('Somebody else changed this pair in the meantime. Look at it again. Nothing was saved.', current);
  }

  /** Audits the action; returns the pair for display. */
  async function noted(call: PortalCall, what: string, done: Done<NewTokens | null>) {
    const { key, before, tokens, replaced = null } = done;
    if (before !== null) {
      const target = before.keyId;
      await call.audit({ what, target, before: auditedKey(before), after: auditedKey(replaced ?? key) });
    }
    // The new pair of a rotation gets its own entry too, so that its log begins with its creation.
    const made = { target: key.keyId, before: null, after: { ...auditedKey(key), replaces: replaced?.keyId ?? null } };
    if (tokens !== null) await call.audit({ what: 'key.created', ...made });
    return shownKey(key, clock.now(), { whole: true, lastUse: null });
  }

  async function changed(call: PortalCall, what: string, detail: string, outcome: KeyOutcome) {
    return outcome.kind === 'done' ? success(detail, await noted(call, what, outcome)) : notDone(outcome);
  }

  async function made(call: PortalCall, what: string, detail: string, outcome: KeyOutcome<NewTokens>) {
    if (outcome.kind !== 'done') return notDone(outcome);
    const { bearerToken, authToken } = outcome.tokens;
    const tokens = { bearerToken: bearerToken.reveal(), authToken: authToken.reveal() };
    const shown = await noted(call, what, outcome);
    return success(`${detail} Keep both tokens: they are shown this once.`, { ...shown, ...tokens });
  }

  routes.add({
    method: 'POST',
    path: '/keys',
    access: fresh('manageKeys'),
    audit: ['key.created'],
    body: ownBody(null),
    answer: answers(newPair, 'The pair with both of its tokens, which are shown this once'),
    work: async (call) => {
      const sides = environments(sandbox);
      const { environment: wanted } = fieldsOf(call.body);
      const environment = sides.find((one) => one === wanted);
      if (environment === undefined) return fieldFaults({ environment: `Choose one of: ${sides.join(', ')}.` });
      return made(
        call,
        'key.created',
        'The key pair is created.',
        await service.create(ownerOf(call), environment, call.body),
      );
    },
  });

  routes.add({
    method: 'POST',
    path: '/keys/:keyId',
    access: fresh('manageKeys'),
    audit: ['key.changed'],
    body: ownBody(null),
    answer: answers(keyPair, 'The pair as it is now'),
    work: async (call) => {
      const { version } = fieldsOf(call.body);
      const known = typeof version === 'string' ? version : null;
      const outcome = await service.change(ownerOf(call), param(call, 'keyId'), call.body, known);
      return changed(call, 'key.changed', 'The key pair is changed.', outcome);
    },
  });

  routes.add({
    method: 'POST',
    path: '/keys/:keyId/rotate',
    access: fresh('manageKeys'),
    audit: ['key.created', 'key.rotated'],
    body: ownBody(null, { optional: true }),
    answer: answers(newPair, 'The pair with both of its tokens, which are shown this once'),
    work: async (call) => {
      const hours = overlapOf(call);
      if (hours === null) {
        return fieldFaults({ overlapHours: `Choose whole hours from 0 to ${keyLimits.overlapHoursMax}.` });
      }
      const outcome = await service.rotate(ownerOf(call), param(call, 'keyId'), hours);
      const until = hours === 0 ? 'does not work any more' : `works for ${hours} h more`;
      return made(call, 'key.rotated', `The new pair is created; the old one ${until}.`, outcome);
    },
  });

  routes.add({
    method: 'POST',
    path: '/keys/:keyId/revoke',
    access: fresh('manageKeys'),
    audit: ['key.revoked'],
    body: ownBody(null, { optional: true }),
    answer: answers(keyPair, 'The pair as it is now'),
    work: async (call) => {
      const outcome = await service.revoke(ownerOf(call), param(call, 'keyId'));
      return changed(call, 'key.revoked', 'The key pair is revoked. Calls with it are refused from now on.', outcome);
    },
  });
}

const noRefusals: ReadonlyMap<string, AddressRefusal> = new Map();

/** A body of another shape has no fields; the form's reader then reports the fault. */
function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return Object(body) as Record<string, unknown>;
}

function ownerOf({ account, person }: PortalCall): KeyOwner {
  return { accountId: account.accountId, by: person.user.email, scopes: scopesOf(person.user) };
}

function overlapOf({ body }: JsonPortalCall): number | null {
  const { overlapHours = keyLimits.overlapHoursDefault } = fieldsOf(body);
  const isHours = typeof overlapHours === 'number' && Number.isInteger(overlapHours);
  return isHours && overlapHours >= 0 && overlapHours <= keyLimits.overlapHoursMax ? overlapHours : null;
}

/**
 * Never a hash. `whole`: for people who manage keys; others see the purpose of a pair, but not how to find it in a log.
 */
function shownKey(
  key: ApiKey,
  now: number,
  more: { whole: boolean; lastUse: LastUse | null; lastRefusal?: AddressRefusal | null },
) {
  const { keyId, name, environment, scopes, numbers = [], dailyCap = 0, allowedIps, exactShape, createdAt } = key;
  const { bearerHint = null, authHint = null, createdBy = null, replacedBy = null, expiresAt, revokedAt } = key;
  const { whole, lastUse, lastRefusal = null } = more;
  return {
    keyId,
    name,
    environment,
    scopes,
    numbers,
    dailyCap,
    exactShape,
    createdBy,
    replacedBy,
    status: keyStatus(key, now),
    createdAt: isoTime(createdAt),
    expiresAt: expiresAt === null ? null : isoTime(expiresAt),
    revokedAt: revokedAt === null ? null : isoTime(revokedAt),
    lastUse: lastUse && {
      at: isoTime(lastUse.at),
      endpoint: lastUse.endpoint,
      address: whole ? lastUse.address : null,
    },
    ...(whole && {
      bearerHint,
      authHint,
      allowedIps,
      version: recordVersion(key),
      lastRefusal: lastRefusal && { ...lastRefusal, at: isoTime(lastRefusal.at) },
    }),
  };
}

function auditedKey(key: ApiKey): Record<string, unknown> {
  const { name, environment, scopes, numbers = [], dailyCap = 0, allowedIps, exactShape } = key;
  const { replacedBy = null } = key;
  const expiresAt = key.expiresAt === null ? null : isoTime(key.expiresAt);
  const revokedAt = key.revokedAt === null ? null : isoTime(key.revokedAt);
  return { name, environment, scopes, numbers, dailyCap, allowedIps, exactShape, expiresAt, revokedAt, replacedBy };
}
