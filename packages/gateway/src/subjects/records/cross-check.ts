/**
 * Rules between records: referenced records exist, belong to the same account and to the same environment. Checks the
 * result of the change; a problem is one sentence.
 */
import { kindOf, takenBy } from '../../carriers/kinds.ts';
import type { AccountId } from '../../kernel/ids.ts';
import { nearest } from '../../kernel/nearest.ts';
import { type AlertRule, alertTraits } from '../../model/alert.ts';
import { isTimeZone } from '../../model/company.ts';
import { isApprovedAlone } from '../../model/number.ts';
import { quietFault } from '../../model/quiet-hours.ts';
import {
  type Account,
  type ApiKey,
  type Campaign,
  type CarrierRecord,
  type Environment,
  profileOf,
  type Route,
  type SendingNumber,
} from '../../model/records.ts';
import { registrationLimits } from '../../model/registration.ts';
import { nameFault } from '../../model/sender-name.ts';
import type { RecordLists } from './kinds.ts';

interface Indexes {
  accounts: ReadonlySet<string>;
  numbers: ReadonlyMap<string, SendingNumber>;
  campaigns: ReadonlyMap<string, Campaign>;
  carriers: ReadonlyMap<string, CarrierRecord>;
}

export function crossCheck(records: RecordLists): string[] {
  const indexes: Indexes = {
    accounts: new Set(records.accounts.map((account) => account.accountId)),
    numbers: new Map(records.numbers.map((number) => [number.number, number])),
    campaigns: new Map(records.campaigns.map((campaign) => [campaign.campaignId, campaign])),
    carriers: new Map(records.carriers.map((carrier) => [carrier.carrierId, carrier])),
  };
  return [
    ...records.accounts.flatMap(rateProblems),
    ...records.accounts.flatMap(fenceProblems),
    ...records.accounts.flatMap((account) => hoursProblems(account, indexes)),
    ...records.campaigns.flatMap((campaign) => ownerProblems(`campaign ${campaign.campaignId}`, campaign, indexes)),
    ...records.numbers.flatMap((number) => numberProblems(number, indexes)),
    ...crowdedCampaigns(records.numbers, indexes),
    ...records.apiKeys.flatMap((key) => keyProblems(key, indexes)),
    ...sharedTokens(records.apiKeys),
    ...sharedPorts(records.carriers),
    ...records.routes.flatMap((route) => routeProblems(route, indexes)),
    ...records.alerts.flatMap(limitProblems),
  ];
}

function limitProblems({ alertId, limit }: AlertRule): string[] {
  const { min, max, unit } = alertTraits[alertId];
  return limit >= min && limit <= max
    ? []
    : [`alert ${alertId}: its limit is ${limit}; allowed: a whole number from ${min} to ${max} (${unit})`];
}

function rateProblems({ accountId, rates = [] }: Account): string[] {
  const currencies = [...new Set(rates.map(({ currency }) => currency))];
  const days = Map.groupBy(rates, ({ from }) => from);
  return [
    ...(currencies.length > 1
      ? [`account ${accountId}: its rates are in ${currencies.join(' and ')}; allowed: one currency`]
      : []),
    ...[...days]
      .filter(([, same]) => same.length > 1)
      .map(([from, same]) => `account ${accountId}: it has ${same.length} rates from ${from}; allowed: one`),
  ];
}

function fenceProblems({ accountId, destinations, destinationsMax = ['*'] }: Account): string[] {
  const beyond = destinationsMax.includes('*') ? [] : destinations.filter((code) => !destinationsMax.includes(code));
  return beyond.length === 0
    ? []
    : [
        `account ${accountId}: its destinations have ${beyond.join(', ')}; allowed by destinationsMax: ${destinationsMax.join(', ')}`,
      ];
}

function hoursProblems({ accountId, timeZone, quietHours }: Account, { campaigns }: Indexes): string[] {
  const isOwn = (campaignId: string) => campaigns.get(campaignId)?.accountId === accountId;
  const fault = quietHours === undefined ? null : quietFault(quietHours, isOwn);
  return [
    ...(timeZone === undefined || isTimeZone(timeZone)
      ? []
      : [`account ${accountId}: there is no time zone ${timeZone}; allowed: one like "Europe/Berlin"`]),
    ...(fault === null ? [] : [`account ${accountId}: its quietHours: ${fault}`]),
  ];
}

function ownerProblems(subject: string, { accountId }: { accountId: AccountId }, { accounts }: Indexes): string[] {
  return accounts.has(accountId) ? [] : [`${subject}: ${missing('account', accountId, accounts)}`];
}

function keyProblems(key: ApiKey, indexes: Indexes): string[] {
  const subject = `key ${key.keyId}`;
  const others = (key.numbers ?? []).filter((digits) => {
    const number = indexes.numbers.get(digits);
    return number?.accountId !== key.accountId || number.environment !== key.environment;
  });
  return [
    ...ownerProblems(subject, key, indexes),
    ...others.map((digits) => `${subject}: its number ${digits} is not a ${key.environment} number of its account`),
  ];
}

function numberProblems(number: SendingNumber, indexes: Indexes): string[] {
  const subject = `number ${number.number}`;
  const problems = ownerProblems(subject, number, indexes);
  const wrong = nameFault(number);
  if (wrong !== null) problems.push(`${subject}: ${wrong.why}`);
  if (number.verified === true && !isApprovedAlone(number.number)) {
    problems.push(`${subject}: only toll-free numbers and short codes are verified; others need a campaign`);
  }
  if (number.campaignId === null) return problems;
  const campaign = indexes.campaigns.get(number.campaignId);
  if (campaign === undefined) {
    return [...problems, `${subject}: ${missing('campaign', number.campaignId, indexes.campaigns.keys())}`];
  }
  if (campaign.accountId !== number.accountId) {
    problems.push(
      `${subject}: it is on account ${number.accountId} and its campaign ${campaign.campaignId} on ${campaign.accountId}; both must be on one`,
    );
  }
  return [
    ...problems,
    ...sideProblems(subject, number.environment, `campaign ${campaign.campaignId}`, campaign.environment),
  ];
}

/** A campaign without a number pool that has several numbers. */
function crowdedCampaigns(numbers: readonly SendingNumber[], { campaigns }: Indexes): string[] {
  const most = registrationLimits.numbersPerCampaign;
  const pooled = (campaignId: string) => campaigns.get(campaignId)?.registration?.flags.numberPool === true;
  return [...Map.groupBy(numbers, (number) => number.campaignId)]
    .filter(([campaignId, members]) => campaignId !== null && members.length > most && !pooled(campaignId))
    .map(
      ([campaignId, members]) => `campaign ${campaignId}: it has ${members.length} numbers; allowed: at most ${most}`,
    );
}

function sharedTokens(keys: readonly ApiKey[]): string[] {
  return (['bearerHash', 'authHash'] as const).flatMap((hash) => {
    const token = hash === 'bearerHash' ? 'Bearer Token' : 'Auth Token';
    return [...Map.groupBy(keys, (key) => key[hash]).values()]
      .filter((same) => same.length > 1)
      .map(
        (same) =>
          `keys ${same.map((key) => key.keyId).join(' and ')}: they have the same ${token}; each pair needs its own`,
      );
  });
}

/** Each carrier needs a port of its own to send to us. */
function sharedPorts(carriers: readonly CarrierRecord[]): string[] {
  const listeners = carriers.flatMap((carrier) => {
    const port = carrier.enabled ? kindOf(carrier).listensOn(profileOf(carrier)) : null;
    return port === null ? [] : [{ carrierId: carrier.carrierId, port }];
  });
  return [...Map.groupBy(listeners, ({ port }) => port)]
    .filter(([, same]) => same.length > 1)
    .map(
      ([port, same]) =>
        `carriers ${same.map(({ carrierId }) => carrierId).join(' and ')}: they have the same inbound.port ${port}; each needs its own`,
    );
}

function routeProblems(route: Route, indexes: Indexes): string[] {
  const subject = `route ${route.routeId}`;
  const problems: string[] = [];
  if (route.number !== null) {
    const number = indexes.numbers.get(route.number);
    if (number === undefined) problems.push(`${subject}: ${missing('number', route.number, indexes.numbers.keys())}`);
    else problems.push(...sideProblems(subject, route.environment, `number ${route.number}`, number.environment));
  }
  if (route.campaignId !== undefined) {
    const campaign = indexes.campaigns.get(route.campaignId);
    if (campaign === undefined)
      problems.push(`${subject}: ${missing('campaign', route.campaignId, indexes.campaigns.keys())}`);
    else
      problems.push(...sideProblems(subject, route.environment, `campaign ${route.campaignId}`, campaign.environment));
  }
  for (const carrierId of route.carrierIds) {
    const carrier = indexes.carriers.get(carrierId);
    if (carrier === undefined) {
      problems.push(`${subject}: ${missing('carrier', carrierId, indexes.carriers.keys())}`);
      continue;
    }
    problems.push(...sideProblems(subject, route.environment, `carrier ${carrierId}`, carrier.environment));
    if (route.kind !== null && !takenBy(carrier).includes(route.kind)) {
      const takes = takenBy(carrier).join(' and ');
      problems.push(
        `${subject}: it is for ${route.kind} and its carrier ${carrierId} (${carrier.kind}) takes ${takes} only`,
      );
    }
  }
  return problems;
}

function sideProblems(subject: string, side: Environment, other: string, otherSide: Environment): string[] {
  return side === otherSide
    ? []
    : [`${subject}: it is ${side} and its ${other} is ${otherSide}; sandbox and live never mix`];
}

function missing(noun: string, id: string, known: Iterable<string>): string {
  const near = nearest(id, [...known]);
  return `its ${noun} ${id} is neither in the file nor on record${near === null ? '' : `; did you mean ${near}?`}`;
}
