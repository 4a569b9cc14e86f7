/**
 * The palette's suggestions besides pages: the record with the typed id, the company's own numbers and campaigns, the
 * conversations of a telephone.
 */
import { useQueries, useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api } from '../api/client';
import { useOwnNumbers } from '../api/own-numbers';
import type { Permission } from '../api/session';
import { useReasons } from '../features/reasons/reasons';
import { labelsOf } from '../language/labels';
import { phoneText } from '../ui/Values';

const frameLabels = labelsOf('frame');
const others = labelsOf('palette');

const labels = frameLabels.palette;

export interface Jump {
  to: string;
  search?: Record<string, string>;
  label: string;
}

interface Sent {
  direction: 'outbound' | 'inbound';
  from: string;
  to: string;
}

/** Newest messages that are searched for the numbers that a telephone wrote to. */
const lookMax = 100;
const offeredMax = 4;
/** Searches after this long without typing. */
const calmMs = 200;
/** The form of a customer's own reference for a message; quotation marks would end the word in a search. */
const referenceForm = /^[^\s"\\]{3,64}$/;

/** `peer`: the typed telephone, for people who may read conversations. `withHandsets`: handsets can be opened. */
export function useJumps(
  wanted: string,
  peer: string | null,
  withHandsets: boolean,
  permissions: readonly Permission[],
): Jump[] {
  const records = useRecords(wanted, permissions);
  const own = useOwnNumbers();
  const handsets = useQuery({
    queryKey: ['handsets', 'list'],
    queryFn: async () => (await api.get('/sandbox/handsets')).data,
    // Preloaded before anything is typed, because the first match gets the focus.
    enabled: withHandsets,
  });
  const reference = useCalm(wanted);
  const referred = useQuery({
    queryKey: ['messages', 'referred', reference],
    queryFn: async () => (await api.get('/messages', { query: { q: `ref:"${reference}"`, limit: 1 } })).data.messages,
    enabled: referenceForm.test(reference),
  });
  const traffic = useQuery({
    queryKey: ['messages', 'with', peer],
    queryFn: async () => (await api.get('/messages', { query: { q: peer, limit: lookMax } })).data.messages,
    enabled: peer !== null && !own.includes(peer),
  });
  if (wanted === '') return [];
  const known = (handsets.data ?? []).map(({ number }) => number);
  return [
    ...phonesLike(wanted, peer, own, withHandsets ? known : null),
    ...byId(wanted),
    ...records,
    ...(reference === wanted && (referred.data ?? []).length > 0
      ? [{ to: '/messages', search: { q: `ref:"${wanted}"` }, label: labels.reference(wanted) }]
      : []),
    ...(peer === null || own.includes(peer) || traffic.isPending
      ? []
      : talkedTo(traffic.data ?? [], peer, own).map((number) => ({
          to: `/conversations/${number}/${peer}`,
          label: labels.conversation(phoneText(peer), phoneText(number)),
        }))),
  ];
}

/** Lists that are fetched completely. */
type ListPath = '/campaigns' | '/brands' | '/endpoints' | '/keys' | '/carriers' | '/accounts';

/** Records of one kind: their query, and the page of one. Keys and answers are the same as on their own pages. */
interface Kind {
  key: readonly string[];
  path: ListPath;
  permission: Permission;
  id: string;
  label(name: string): string;
  page(id: string): string;
}

const kinds: readonly Kind[] = [
  {
    key: ['campaigns'],
    path: '/campaigns',
    permission: 'read',
    id: 'campaignId',
    label: labels.campaign,
    page: (id) => `/campaigns/${id}`,
  },
  {
    key: ['brands'],
    path: '/brands',
    permission: 'read',
    id: 'brandId',
    label: others.brand,
    page: (id) => `/campaigns/brands/${id}`,
  },
  {
    key: ['endpoints', 'list'],
    path: '/endpoints',
    permission: 'read',
    id: 'endpointId',
    label: others.endpoint,
    page: (id) => `/webhooks/${id}`,
  },
  {
    key: ['keys'],
    path: '/keys',
    permission: 'manageKeys',
    id: 'keyId',
    label: others.key,
    page: (id) => `/settings/company/api-keys/${id}`,
  },
  {
    key: ['carriers'],
    path: '/carriers',
    permission: 'operator',
    id: 'carrierId',
    label: others.carrier,
    page: (id) => `/carriers/${id}`,
  },
  {
    key: ['accounts'],
    path: '/accounts',
    permission: 'operator',
    id: 'accountId',
    label: others.account,
    page: (id) => `/accounts/${id}`,
  },
];

/** Records whose name or id contains the input, and reason codes of which it is a part. */
function useRecords(wanted: string, permissions: readonly Permission[]): Jump[] {
  const permitted = kinds.filter(({ permission }) => permissions.includes(permission));
  const lists = useQueries({
    queries: permitted.map(({ key, path }) => ({
      queryKey: key,
      queryFn: async () => (await api.get(path)).data as readonly object[],
      enabled: wanted !== '',
    })),
  });
  const reasons = useReasons(wanted !== '');
  if (wanted === '') return [];
  return [
    ...permitted.flatMap((kind, i) => recordsLike(wanted, kind, lists[i]?.data ?? [])),
    ...reasonsLike(
      wanted,
      (reasons.data ?? []).map(({ code }) => code),
    ),
  ];
}

export function recordsLike(
  text: string,
  { id, label, page }: Pick<Kind, 'id' | 'label' | 'page'>,
  rows: readonly object[],
): Jump[] {
  const wanted = text.toLowerCase();
  return (rows as readonly Readonly<Record<string, unknown>>[])
    .map((row) => ({ id: String(row[id]), name: String(row.name ?? row.legalName ?? row.displayName ?? row[id]) }))
    .filter((one) => `${one.name} ${one.id}`.toLowerCase().includes(wanted))
    .slice(0, offeredMax)
    .map((one) => ({ to: page(encodeURIComponent(one.id)), label: label(one.name) }));
}

/** A complete code is found without loading the list. */
export function reasonsLike(text: string, codes: readonly string[]): Jump[] {
  const wanted = text.trim().toUpperCase().replaceAll(' ', '_');
  if (wanted.length < 3) return [];
  return [...new Set(codes)]
    .filter((code) => code.includes(wanted) && byId(text).every(({ to }) => to !== `/reasons/${code}`))
    .slice(0, offeredMax)
    .map((code) => ({ to: `/reasons/${code}`, label: labels.reason(code) }));
}

/** A value that has not changed for a moment, so that not every letter starts a search. */
function useCalm(text: string): string {
  const [calm, setCalm] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setCalm(text), calmMs);
    return () => clearTimeout(timer);
  }, [text]);
  return calm;
}

/** The page of the record with this id, or of a reason code. */
export function byId(text: string): Jump[] {
  if (/^msg_[0-9A-Z]{26}$/.test(text)) return [{ to: `/messages/${text}`, label: labels.message(text) }];
  const ofEvent = /^evt_([0-9A-Z]{26})_\d+$/.exec(text);
  if (ofEvent !== null) return [{ to: `/messages/msg_${ofEvent[1]}`, label: labels.message(`msg_${ofEvent[1]}`) }];
  if (/^req_[0-9A-Za-z]+$/.test(text)) return [{ to: `/requests/${text}`, label: labels.request(text) }];
  if (/^[A-Z]{2,}(?:_[A-Z]+)+$/.test(text)) return [{ to: `/reasons/${text}`, label: labels.reason(text) }];
  return [];
}

/** Own numbers that contain the digits, in any notation. */
export function numbersLike(text: string, own: readonly string[]): string[] {
  const digits = text.replace(/\D/g, '');
  if (digits.length < 3 || /[a-z]/i.test(text)) return [];
  return own.filter((number) => number.includes(digits)).slice(0, offeredMax);
}

/**
 * Own numbers first, then handsets: those of `known` that match part of a number, and any telephone `peer`. None when
 * `known` is null. The company's own numbers are not offered as telephones.
 */
export function phonesLike(
  text: string,
  peer: string | null,
  own: readonly string[],
  known: readonly string[] | null,
): Jump[] {
  const handsets = known === null ? [] : peer === null ? numbersLike(text, known) : [peer];
  return [
    ...numbersLike(text, own).map((number) => ({ to: `/numbers/${number}`, label: labels.number(phoneText(number)) })),
    ...handsets
      .filter((number) => !own.includes(number))
      .map((number) => ({ to: `/handsets/${number}`, label: labels.handset(phoneText(number)) })),
  ];
}

/**
 * Own numbers with messages to or from the telephone, the latest first; without any, the first that can write to it.
 */
export function talkedTo(messages: readonly Sent[], peer: string, own: readonly string[]): string[] {
  const found = messages
    .map(({ direction, from, to }) => (direction === 'outbound' ? [from, to] : [to, from]) as [string, string])
    .filter(([number, other]) => other === peer && own.includes(number))
    .map(([number]) => number);
  return found.length > 0 ? [...new Set(found)].slice(0, offeredMax) : own.slice(0, 1);
}

/** A telephone number as people write it; ten digits are a North American number. Null for anything else. */
export function phoneDigits(text: string): string | null {
  if (!/^\+?[\d\s().-]+$/.test(text)) return null;
  const digits = text.replace(/\D/g, '');
  if (digits.length === 10 && !text.startsWith('+')) return `1${digits}`;
  return digits.length >= 8 && digits.length <= 15 ? digits : null;
}
