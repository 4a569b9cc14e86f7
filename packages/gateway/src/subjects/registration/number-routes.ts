/**
 * `/numbers`: sending numbers, whether each can send and how to fix it, their figures of the last day, and their
 * switches.
 */
import { rejection, success } from '../../http/exchange.ts';
import { param } from '../../http/guard.ts';
import { forbidden } from '../../http/portal/answers.ts';
import {
  flag,
  form,
  optional,
  optionalOrNull,
  optionalTexts,
  optionalWhole,
  required,
} from '../../http/portal/forms.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import type { PortalCall } from '../../http/portal/portal-guard.ts';
import { answers } from '../../http/route.ts';
import { list, type TypeOf } from '../../http/shape.ts';
import { dayMs } from '../../kernel/clock.ts';
import { counted } from '../../kernel/counted.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { DeliveryState } from '../../model/lifecycle.ts';
import { isApprovedAlone } from '../../model/number.ts';
import type { SendingNumber } from '../../model/records.ts';
import { isSenderName } from '../../model/sender-name.ts';
import type { NumberTrafficStore } from '../message-log/store/module.ts';
import { canSend, carriersFrom } from './can-send.ts';
import type { RegistrationParts } from './edits.ts';
import { addNumberImport } from './number-import-routes.ts';
import { numberRow, numberWhole } from './number-shapes.ts';
import { createNumberService, senderIn } from './numbers.ts';
import { editAnswer, editRefusal, withVersion } from './registration-answers.ts';

export type NumberRouteParts = RegistrationParts & { store: Pick<NumberTrafficStore, 'numberTraffic' | 'queuedFrom'> };

/** Messages counted for one answer; of more, only the newest. */
const lookMax = 20_000;
const nameMax = 64;
const perSecondMax = 10_000;
/** Countries of a name. */
const codes = optionalTexts(300, 8);

/** Counted as sent: every message that was submitted, whatever its outcome. */
const left: readonly DeliveryState[] = ['sent', 'delivered', 'undelivered', 'unconfirmed', 'uncertain', 'held'];

interface Traffic {
  sent: number;
  delivered: number;
}

const noTraffic: Traffic = { sent: 0, delivered: 0 };

export function numberRoutes(parts: NumberRouteParts): PortalModule {
  const { directory, store, clock } = parts;
  const service = createNumberService(parts);

  async function traffic(accountId: AccountId): Promise<Map<string, Traffic>> {
    const rows = await store.numberTraffic({ accountId, since: clock.now() - dayMs, look: lookMax });
    const byNumber = Map.groupBy(rows, ({ number }) => number);
    const count = (of: typeof rows, states: readonly DeliveryState[]) =>
      of.filter(({ state }) => states.includes(state)).reduce((sum, row) => sum + row.count, 0);
    return new Map(
      [...byNumber].map(([number, own]) => [number, { sent: count(own, left), delivered: count(own, ['delivered']) }]),
    );
  }

  function shown(
    number: SendingNumber,
    may: PortalCall['may'],
    last24h: Traffic = noTraffic,
  ): TypeOf<typeof numberRow> {
    const campaign = number.campaignId === null ? undefined : directory().campaign(number.campaignId);
    const { accountId: _, ...rest } = withVersion(number);
    return {
      name: '',
      ...rest,
      countries: number.countries ?? null,
      verified: isApprovedAlone(number.number) ? number.verified === true : null,
      campaignName: campaign?.name ?? null,
      campaignStatus: campaign?.status ?? null,
      canSend: canSend(directory(), number, { operator: may('operator') }),
      last24h,
    };
  }

  async function shownWhole(number: SendingNumber, may: PortalCall['may']): Promise<TypeOf<typeof numberWhole>> {
    const { accountId, number: digits, campaignId } = number;
    const queued = await store.queuedFrom({ accountId, number: digits, look: lookMax });
    const pacing = campaignId === null ? null : (directory().campaign(campaignId)?.pacing ?? null);
    const whole = { ...shown(number, may, (await traffic(accountId)).get(digits)), queued, pacing };
    if (!may('operator')) return whole;
    const carriers = carriersFrom(directory(), number, null).map(({ carrierId, name }) => ({ carrierId, name }));
    return { ...whole, carriers };
  }

  const missing = rejection('NOT_FOUND', 'Your company has no such number.');
  const find = (call: PortalCall) => service.get(call.account.accountId, param(call, 'number'));

  return (routes) => {
    addNumberImport(routes, service);

    routes.add({
      method: 'GET',
      path: '/numbers',
      access: 'read',
      answer: answers(list(numberRow), 'All of them, in the order of their digits'),
      work: async ({ account, environment, may }) => {
        const numbers = service.list(account.accountId, environment);
        const counts = await traffic(account.accountId);
        const rows = numbers.map((number) => shown(number, may, counts.get(number.number)));
        return success(`${counted(rows.length, 'sending number')}, in the order of their digits.`, rows);
      },
    });

    routes.add({
      method: 'GET',
      path: '/numbers/:number',
      access: 'read',
      answer: answers(numberWhole, 'The number'),
      work: async (call) => {
        const number = find(call);
        return number === null ? missing : success('The number.', await shownWhole(number, call.may));
      },
    });

    routes.add({
      method: 'POST',
      path: '/numbers',
      access: 'manageNumbers',
      audit: ['number.added'],
      body: form({ number: required, name: optional, campaignId: optionalOrNull, countries: codes }),
      answer: answers(numberRow, 'The number'),
      work: async ({ account, environment, may, person, body }) => {
        const { number, name = '', campaignId = null, countries } = body;
        const whose = { accountId: account.accountId, environment, anywhere: may('operator') };
        const sender = senderIn(number);
        const added = { number: sender, name: name.slice(0, nameMax), campaignId, ...(countries && { countries }) };
        const outcome = await service.add(person, whose, added);
        const awaited = isApprovedAlone(sender) ? 'its approval by carriers is recorded' : 'its campaign is approved';
        const next = isSenderName(sender) ? '' : ` It can send as soon as ${awaited}.`;
        return editAnswer(outcome, `The number is added.${next}`, (one) => shown(one, may));
      },
    });

    routes.add({
      method: 'POST',
      path: '/numbers/:number',
      access: 'manageNumbers',
      audit: ['number.changed'],
      body: form({
        smsEnabled: flag,
        mmsEnabled: flag,
        campaignId: optionalOrNull,
        name: { ...optional, charactersMax: nameMax },
        version: optional,
        messagesPerSecond: optionalWhole(0, perSecondMax),
        verified: flag,
        countries: codes,
      }),
      answer: answers(numberWhole, 'The number'),
      work: async (call) => {
        const { version = null, ...change } = call.body;
        const isOperators = change.verified !== undefined || change.countries !== undefined;
        if (isOperators && !call.may('operator')) return forbidden('operator');
        const digits = param(call, 'number');
        const outcome = await service.change(call.person, digits, change, version);
        if (outcome.kind !== 'done') return editRefusal(outcome, (one) => shown(one, call.may));
        const off = outcome.before?.smsEnabled === true && !outcome.record.smsEnabled;
        const whole = await shownWhole(outcome.record, call.may);
        const { queued } = whole;
        const detail = off
          ? `SMS is off. ${queued === 1 ? '1 queued message stops when its' : `${queued} queued messages stop when their`} turn comes, unless it is on again by then.`
          : 'The number is changed.';
        return success(detail, whole);
      },
    });
  };
}
