/**
 * `/company`: what people set of their own company, from the next message on; and numbers whose messages are to be erased.
 * Prices, limits and suspension are an operator's and not here.
 */
import { type CompanyFaults, changedCompany, companyChanges } from '../../domain/company.ts';
import type { Ids } from '../../domain/ids.ts';
import { isE164Digits, isShortCode, maskNumber } from '../../domain/number.ts';
import { recordVersion } from '../../domain/record-version.ts';
import type { Account } from '../../domain/records.ts';
import { retentionOf } from '../../domain/retention.ts';
import { toldBy } from '../../flow/people/people-parts.ts';
import type { Store } from '../../store/store.ts';
import { isoTime } from '../envelope.ts';
import { type Answer, rejection, success } from '../exchange.ts';
import type { RouteDeps } from '../server.ts';
import { conflict, fieldFaults, refusalAnswer } from './answers.ts';
import {
  type FormOf,
  flag,
  optional,
  optionalOrNull,
  optionalTexts,
  optionalWhole,
  readForm,
  required,
} from './forms.ts';
import type { PortalModule } from './portal.ts';
import { fresh, type JsonPortalCall, type PortalRoutes } from './portal-guard.ts';

export interface CompanyRouteParts {
  store: Pick<Store, 'records' | 'editRecords' | 'erasures' | 'addErasure'>;
  ids: Pick<Ids, 'next'>;
  /** Reads the records anew, so that the change counts from the next request on. */
  refreshDirectory(): Promise<unknown>;
  /** Somebody asked for a number to be erased. */
  erasureAsked(): void;
}

const countriesMax = 300;
const erasuresShown = 50;

const fields = {
  ...{ version: required, name: optional, supportContact: optional, timeZone: optionalOrNull, smartEncoding: flag },
  uncertainPolicy: { ...optional, oneOf: ['resend', 'hold'] },
  mmsFallback: { ...optional, oneOf: ['none', 'links'] },
  destinations: optionalTexts(countriesMax, 8),
  ...{ bodyDays: optionalWhole(1, 3_650), metadataDays: optionalWhole(1, 3_650) },
} as const;

export function companyRoutes(parts: CompanyRouteParts): PortalModule {
  return (routes, deps) => {
    routes.get('/company', 'read', async ({ account }) => {
      const current = await accountOnRecord(parts, account.accountId);
      return success('Your company.', shownCompany(current ?? account));
    });
    routes.post('/company', 'manageCompany', async (call) => {
      const read = readForm(call.body, fields);
      return read.ok ? change(parts, deps, call, read.form) : read.answer;
    });
    erasureRoutes(routes, deps, parts);
  };
}

async function accountOnRecord({ store }: CompanyRouteParts, accountId: string): Promise<Account | undefined> {
  return (await store.records()).accounts.find((one) => one.accountId === accountId);
}

/** Other people's edits of other records that may come between before we give up. */
const triesMax = 20;

async function change(
  { store, refreshDirectory }: CompanyRouteParts,
  { clock }: RouteDeps,
  call: JsonPortalCall,
  { version, ...form }: FormOf<typeof fields>,
): Promise<Answer> {
  for (let tries = 0; tries < triesMax; tries++) {
    const records = await store.records();
    const before = records.accounts.find(({ accountId }) => accountId === call.account.accountId);
    if (before === undefined) return rejection('NOT_FOUND', 'Your company is not on record any more.');
    if (recordVersion(before) !== version) return stale(before);
    const after = changedCompany(before, form as Parameters<typeof changedCompany>[1]);
    if ('faults' in after) return fieldFaults(told(after.faults));
    const changes = companyChanges(before, after);
    if (!changes.any) return success('Nothing was different.', shownCompany(before));
    const note = { what: 'company.changed', target: before.accountId, before: changes.before, after: changes.after };
    const edit = { put: { accounts: [after] }, dropRoutes: [], audit: [toldBy(call.person, clock.now(), note)] };
    if ((await store.editRecords({ version: records.version, ...edit })) === null) continue;
    await refreshDirectory();
    return success('Your company is saved. It holds from the next message on.', shownCompany(after));
  }
  return refusalAnswer({ kind: 'busy' });
}

function stale(current: Account): Answer {
  return conflict('Somebody changed this meanwhile. Look at it again. Nothing was changed.', shownCompany(current));
}

function told(faults: CompanyFaults): Record<string, string> {
  return Object.fromEntries(Object.entries(faults).map(([name, sentence]) => [name, sentence ?? '']));
}

function shownCompany(account: Account): object {
  const { accountId, name, status, destinations, uncertainPolicy, smartEncoding, mmsFallback, supportContact } =
    account;
  return {
    ...{ accountId, name, status, destinations, uncertainPolicy, smartEncoding, mmsFallback, supportContact },
    timeZone: account.timeZone ?? null,
    rates: account.rates ?? [],
    ...retentionOf(account),
    version: recordVersion(account),
  };
}

function erasureRoutes(routes: PortalRoutes, { clock }: RouteDeps, parts: CompanyRouteParts): void {
  routes.get('/company/erasures', 'manageCompany', async ({ account }) => {
    const list = await parts.store.erasures({ accountId: account.accountId, limit: erasuresShown });
    return success(`${list.length} numbers erased or being erased, newest first.`, list.map(shownErasure));
  });

  routes.post('/company/erasures', fresh('manageCompany'), async (call) => {
    const read = readForm(call.body, { number: required });
    if (!read.ok) return read.answer;
    const { number } = read.form;
    if (!isE164Digits(number) && !isShortCode(number)) {
      return fieldFaults({ number: 'Give a telephone number in digits with its country code, such as 12025550100.' });
    }
    const erasure = {
      ...{ erasureId: parts.ids.next('era_'), accountId: call.account.accountId, peer: number },
      ...{ requestedAt: clock.now(), requestedBy: call.person.user.email },
    };
    // Written down first: whoever erased what stays known, without the number.
    await call.audit({ what: 'number.erased', target: maskNumber(number), after: { erasureId: erasure.erasureId } });
    await parts.store.addErasure(erasure);
    parts.erasureAsked();
    const shown = shownErasure({ ...erasure, deleted: 0, leftOver: 0, doneAt: null });
    return success('The messages of this number are being erased.', shown);
  });
}

type Erasure = Awaited<ReturnType<Store['erasures']>>[number];

/** The number itself is not shown again, even while it is being erased. */
function shownErasure({ erasureId, peer, requestedAt, requestedBy, deleted, leftOver, doneAt }: Erasure): object {
  return {
    ...{ erasureId, number: peer.includes('•') ? peer : maskNumber(peer), requestedBy, deleted, leftOver },
    requestedAt: isoTime(requestedAt),
    doneAt: doneAt === null ? null : isoTime(doneAt),
  };
}
