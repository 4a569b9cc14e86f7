/**
 * `/company`: settings that a company controls itself, in force from the next message, and erasing a number. Operators
 * set prices, limits and suspension elsewhere.
 */
import { isoTime } from '../../http/envelope.ts';
import { rejection, success } from '../../http/exchange.ts';
import { conflict, fieldFaults, refusalAnswer } from '../../http/portal/answers.ts';
import {
  type FormOf,
  flag,
  form,
  optional,
  optionalOrNull,
  optionalTexts,
  optionalWhole,
  required,
} from '../../http/portal/forms.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import { fresh, type JsonPortalCall, type PortalRoutes } from '../../http/portal/portal-guard.ts';
import { answers } from '../../http/route.ts';
import type { RouteDeps } from '../../http/server.ts';
import { list } from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import type { AccountId, Ids } from '../../kernel/ids.ts';
import { recordVersion } from '../../kernel/record-version.ts';
import type { RecordsStore } from '../../messaging/store/modules/records.ts';
import { changedCompany, companyChanges, hasFraudGuard, withQuietHours } from '../../model/company.ts';
import { isE164Digits, isShortCode, maskNumber } from '../../model/number.ts';
import { passwordCharacters } from '../../model/people-password.ts';
import { auditEntryOf } from '../../model/person.ts';
import { createQuietClock, quietCampaignsMax } from '../../model/quiet-hours.ts';
import type { Account, Records } from '../../model/records.ts';
import { repeatDefaults, repeatsMax } from '../../model/repeats.ts';
import { retentionOf } from '../../model/retention.ts';
import { roles } from '../../model/roles.ts';
import { type Weekday, weekdays, zoneDefault } from '../../model/route-hours.ts';
import { changedSecondFactor, graceDaysMax, type SecondFactorForm } from '../../model/second-factor-rule.ts';
import type { RetentionStore } from '../retention/store/module.ts';
import { companyShown, numberErasure } from './company-shapes.ts';

export interface CompanyRouteParts {
  store: Pick<RecordsStore, 'records' | 'editRecords'> & Pick<RetentionStore, 'erasures' | 'addErasure'>;
  ids: Pick<Ids, 'next'>;
  /** Reloads the records, so that the change applies from the next request on. */
  refreshDirectory(): Promise<unknown>;
  /** Called when a person requests the erasure of a number. */
  erasureRequested(): void;
}

const countriesMax = 300;
const erasuresShown = 50;

const fields = {
  version: required,
  name: optional,
  supportContact: optional,
  timeZone: optionalOrNull,
  smartEncoding: flag,
  exactShapeDefault: flag,
  monthlyBudget: optionalOrNull,
  passwordCharactersMin: optionalWhole(passwordCharacters.min, passwordCharacters.least),
  uncertainPolicy: { ...optional, oneOf: ['resend', 'hold'] },
  repeatsUnanswered: optionalWhole(0, repeatsMax),
  repeatsBroken: optionalWhole(0, repeatsMax),
  mmsFallback: { ...optional, oneOf: ['none', 'links'] },
  animations: { ...optional, oneOf: ['still', 'refuse'] },
  destinations: optionalTexts(countriesMax, 8),
  fraudGuard: { ...optional, oneOf: ['on', 'off'] },
  bodyDays: optionalWhole(1, 3_650),
  metadataDays: optionalWhole(1, 3_650),
} as const;

const quietFields = {
  version: required,
  on: { ...flag, optional: false },
  from: optional,
  to: optional,
  days: optionalTexts(weekdays.length, 3),
  exceptCampaigns: optionalTexts(quietCampaignsMax, 64),
} as const;

const factorFields = {
  version: required,
  roles: { ...optionalTexts(roles.length, 20), optional: false },
  graceDays: { ...optionalWhole(0, graceDaysMax), optional: false },
} as const;

export function companyRoutes(parts: CompanyRouteParts): PortalModule {
  return (routes, deps) => {
    routes.add({
      method: 'GET',
      path: '/company',
      access: 'read',
      answer: answers(companyShown, 'Your company'),
      work: async ({ account }) => {
        const current = await accountOnRecord(parts, account.accountId);
        return success('Your company.', shownCompany(current ?? account, deps.clock.now()));
      },
    });
    routes.add({
      method: 'POST',
      path: '/company',
      access: 'manageCompany',
      audit: ['company.changed'],
      body: form(fields),
      answer: answers(companyShown, 'Your company as it is now'),
      work: async (call) => {
        const { version, ...form } = call.body;
        const saved = 'Your company is saved. The changes apply from the next message on.';
        const edit = (account: Account) =>
          changedCompany(account, form as Parameters<typeof changedCompany>[1], call.may('operator'));
        return change(parts, deps, call, { version, edit, saved });
      },
    });
    routes.add({
      method: 'POST',
      path: '/company/quiet-hours',
      access: 'manageCompany',
      body: form(quietFields),
      answer: answers(companyShown, 'Your company as it is now'),
      work: async (call) => {
        const { version, ...form } = call.body;
        const saved = form.on
          ? 'Your quiet hours apply from now on.'
          : 'There are no quiet hours. The waiting messages are sent.';
        const edit: CompanyEdit['edit'] = (account, records) => {
          const own = records.campaigns.filter((one) => one.accountId === account.accountId);
          const campaigns = new Set(own.map(({ campaignId }) => campaignId));
          return withQuietHours(account, quietOf(form), (campaignId) => campaigns.has(campaignId));
        };
        return change(parts, deps, call, { version, edit, saved });
      },
    });
    routes.add({
      method: 'POST',
      path: '/company/second-factor',
      access: fresh('manageUsers'),
      body: form(factorFields),
      answer: answers(companyShown, 'Your company as it is now'),
      work: async (call) => {
        const { version, ...form } = call.body;
        const saved = 'Saved. It applies from now on.';
        const edit = (account: Account) => withSecondFactor(account, form, deps.clock.now());
        return change(parts, deps, call, { version, edit, saved });
      },
    });
    erasureRoutes(routes, deps, parts);
  };
}

async function accountOnRecord({ store }: CompanyRouteParts, accountId: AccountId): Promise<Account | undefined> {
  return (await store.records()).accounts.find((one) => one.accountId === accountId);
}

interface CompanyEdit {
  version: string;
  edit(account: Account, records: Records): Account | { faults: Partial<Record<string, string>> };
  /** The confirmation for the person. */
  saved: string;
}

/** Null when they are off. All seven days mean the same as no days. */
function quietOf({
  on,
  from = '',
  to = '',
  days = [],
  exceptCampaigns = [],
}: Omit<FormOf<typeof quietFields>, 'version'>) {
  if (!on) return null;
  const everyDay = days.length === 0 || weekdays.every((day) => days.includes(day));
  return {
    from,
    to,
    ...(!everyDay && { days: [...new Set(days)] as Weekday[] }),
    ...(exceptCampaigns.length > 0 && { exceptCampaigns: [...new Set(exceptCampaigns)] }),
  };
}

function withSecondFactor(
  { secondFactor, ...account }: Account,
  form: SecondFactorForm,
  now: number,
): ReturnType<CompanyEdit['edit']> {
  const changed = changedSecondFactor(secondFactor, form, now);
  if ('faults' in changed) return changed;
  return { ...account, ...(changed.rule !== undefined && { secondFactor: changed.rule }) };
}

/** Retries after concurrent edits of other records, before giving up. */
const triesMax = 20;

async function change(
  { store, refreshDirectory }: CompanyRouteParts,
  { clock }: RouteDeps,
  call: JsonPortalCall,
  { version, edit, saved }: CompanyEdit,
) {
  for (let tries = 0; tries < triesMax; tries++) {
    const records = await store.records();
    const before = records.accounts.find(({ accountId }) => accountId === call.account.accountId);
    if (before === undefined) return rejection('NOT_FOUND', 'Your company no longer exists.');
    const now = clock.now();
    if (recordVersion(before) !== version) return stale(before, now);
    const after = edit(before, records);
    if ('faults' in after) return fieldFaults(fieldsOf(after.faults));
    const changes = companyChanges(before, after);
    if (!changes.any) return success('There was nothing to change.', shownCompany(before, now));
    const note = {
      what: 'company.changed',
      target: before.accountId,
      before: noted(changes.before),
      after: noted(changes.after),
    };
    const put = { put: { accounts: [after] }, dropRoutes: [], audit: [auditEntryOf(call.person, now, note)] };
    if ((await store.editRecords({ version: records.version, ...put })) === null) continue;
    await refreshDirectory();
    return success(saved, shownCompany(after, now));
  }
  return refusalAnswer({ kind: 'busy' });
}

function stale(current: Account, now: number) {
  return conflict(
    'Somebody else changed this in the meantime. Look at it again. Nothing was saved.',
    shownCompany(current, now),
  );
}

function fieldsOf(faults: Partial<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(faults).map(([name, sentence]) => [name, sentence ?? '']));
}

function shownRule(rule: Account['secondFactor'] | null) {
  return rule === undefined || rule === null ? null : { ...rule, since: isoTime(rule.since) };
}

/** Formats times in the audit log for people. */
function noted(fields: Record<string, unknown>): Record<string, unknown> {
  return 'secondFactor' in fields ? { ...fields, secondFactor: shownRule(fields.secondFactor as never) } : fields;
}

const quietClock = createQuietClock();

/** With the current span or, if there is none, the next one. */
function shownQuiet({ quietHours, timeZone = zoneDefault }: Account, now: number) {
  if (quietHours === undefined) return null;
  const until = quietClock.until(quietHours, timeZone, now);
  const span = until === null ? quietClock.next(quietHours, timeZone, now) : { from: null, until };
  return {
    from: quietHours.from,
    to: quietHours.to,
    days: quietHours.days ?? [...weekdays],
    exceptCampaigns: quietHours.exceptCampaigns ?? [],
    timeZone,
    now: until !== null,
    begins: span.from === null ? null : isoTime(span.from),
    ends: isoTime(span.until),
  };
}

function shownCompany(account: Account, now: number) {
  const { accountId, name, status, destinations, uncertainPolicy, smartEncoding, mmsFallback, supportContact } =
    account;
  return {
    accountId,
    name,
    status,
    destinations,
    uncertainPolicy,
    smartEncoding,
    mmsFallback,
    supportContact,
    destinationsMax: account.destinationsMax ?? destinations,
    fraudGuard: hasFraudGuard(account) ? ('on' as const) : ('off' as const),
    fraudGuardOptional: account.fraudGuardOptional ?? false,
    animations: account.animations ?? 'still',
    repeatsUnanswered: account.repeatsUnanswered ?? repeatDefaults.repeatsUnanswered,
    repeatsBroken: account.repeatsBroken ?? repeatDefaults.repeatsBroken,
    timeZone: account.timeZone ?? null,
    monthlyBudget: account.monthlyBudget ?? null,
    rates: account.rates ?? [],
    ...retentionOf(account),
    quietHours: shownQuiet(account, now),
    exactShapeDefault: account.exactShapeDefault ?? false,
    passwordCharactersMin: account.passwordCharactersMin ?? passwordCharacters.min,
    secondFactor: shownRule(account.secondFactor),
    version: recordVersion(account),
  };
}

function erasureRoutes(routes: PortalRoutes, { clock }: RouteDeps, parts: CompanyRouteParts): void {
  routes.add({
    method: 'GET',
    path: '/company/erasures',
    access: 'manageCompany',
    answer: answers(list(numberErasure), 'Erasures, the newest first'),
    work: async ({ account }) => {
      const list = await parts.store.erasures({ accountId: account.accountId, limit: erasuresShown });
      return success(`${counted(list.length, 'number')} erased or being erased, newest first.`, list.map(shownErasure));
    },
  });

  routes.add({
    method: 'POST',
    path: '/company/erasures',
    access: fresh('manageCompany'),
    audit: ['number.erased'],
    body: form({ number: required }),
    answer: answers(numberErasure, 'The erasure that has begun'),
    work: async (call) => {
      const { number } = call.body;
      if (!isE164Digits(number) && !isShortCode(number)) {
        return fieldFaults({ number: 'Give a telephone number in digits with its country code, such as 12025550100.' });
      }
      const erasure = {
        erasureId: parts.ids.next('era_'),
        accountId: call.account.accountId,
        peer: number,
        requestedAt: clock.now(),
        requestedBy: call.person.user.email,
      };
      // Audited first, without the number: it must stay known who erased.
      await call.audit({ what: 'number.erased', target: maskNumber(number), after: { erasureId: erasure.erasureId } });
      await parts.store.addErasure(erasure);
      parts.erasureRequested();
      const shown = shownErasure({ ...erasure, deleted: 0, leftOver: 0, doneAt: null });
      return success('The messages of this number are being erased.', shown);
    },
  });
}

type Erasure = Awaited<ReturnType<RetentionStore['erasures']>>[number];

/** The number is never shown again, even while the erasure runs. */
function shownErasure({ erasureId, peer, requestedAt, requestedBy, deleted, leftOver, doneAt }: Erasure) {
  return {
    erasureId,
    number: peer.includes('•') ? peer : maskNumber(peer),
    requestedBy,
    deleted,
    leftOver,
    requestedAt: isoTime(requestedAt),
    doneAt: doneAt === null ? null : isoTime(doneAt),
  };
}
