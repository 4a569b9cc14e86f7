/**
 * What the palette offers for what is typed, besides the pages: the record with that id, the company's own numbers and
 * campaigns, the conversations that a telephone has had.
 */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { api, query } from '../api/client';
import { useOwnNumbers } from '../api/own-numbers';
import { phoneText } from '../ui/Values';
import { frameWords } from '../words/en/frame';

const words = frameWords.palette;

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

/** Newest messages that are looked through for the numbers a telephone had to do with. */
const lookMax = 100;
const offeredMax = 4;
/** So long nothing is typed. */
const calmMs = 200;
/** What a customer's own word for a message may look like; quotation marks would end the word in a search. */
const referenceForm = /^[^\s"\\]{3,64}$/;

/** `peer`: the telephone that is typed, for those who may read conversations. `withHandsets`: handsets can be opened. */
export function useJumps(wanted: string, peer: string | null, withHandsets: boolean): Jump[] {
  const own = useOwnNumbers();
  const handsets = useQuery({
    queryKey: ['handsets', 'list'],
    queryFn: async () => (await api.get<{ number: string }[]>('/sandbox/handsets')).data,
    // Before anything is typed: the first that fits has the focus then.
    enabled: withHandsets,
  });
  const reference = useCalm(wanted);
  const referred = useQuery({
    queryKey: ['messages', 'referred', reference],
    queryFn: async () =>
      (await api.get<{ messages: unknown[] }>(`/messages${query({ q: `ref:"${reference}"`, limit: 1 })}`)).data
        .messages,
    enabled: referenceForm.test(reference),
  });
  const campaigns = useQuery({
    queryKey: ['campaigns'],
    queryFn: async () => (await api.get<{ campaignId: string; name: string }[]>('/campaigns')).data,
    enabled: wanted !== '',
  });
  const traffic = useQuery({
    queryKey: ['messages', 'with', peer],
    queryFn: async () =>
      (await api.get<{ messages: Sent[] }>(`/messages${query({ q: peer, limit: lookMax })}`)).data.messages,
    enabled: peer !== null && !own.includes(peer),
  });
  if (wanted === '') return [];
  return [
    ...byId(wanted),
    ...(reference === wanted && (referred.data ?? []).length > 0
      ? [{ to: '/messages', search: { q: `ref:"${wanted}"` }, label: words.reference(wanted) }]
      : []),
    ...(peer === null
      ? numbersLike(
          wanted,
          (handsets.data ?? []).map(({ number }) => number),
        )
      : []
    ).map((number) => ({
      to: `/handsets/${number}`,
      label: words.handset(phoneText(number)),
    })),
    ...numbersLike(wanted, own).map((number) => ({ to: `/numbers/${number}`, label: words.number(phoneText(number)) })),
    ...(campaigns.data ?? [])
      .filter(({ campaignId, name }) => `${name} ${campaignId}`.toLowerCase().includes(wanted.toLowerCase()))
      .slice(0, offeredMax)
      .map(({ campaignId, name }) => ({ to: `/campaigns/${campaignId}`, label: words.campaign(name) })),
    ...(peer === null || own.includes(peer) || traffic.isPending
      ? []
      : talkedTo(traffic.data ?? [], peer, own).map((number) => ({
          to: `/conversations/${number}/${peer}`,
          label: words.conversation(phoneText(peer), phoneText(number)),
        }))),
  ];
}

/** What stands still for a moment: not every letter is a word to be looked for. */
function useCalm(text: string): string {
  const [calm, setCalm] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setCalm(text), calmMs);
    return () => clearTimeout(timer);
  }, [text]);
  return calm;
}

/** The page of whatever has such an id, or of a reason code. */
export function byId(text: string): Jump[] {
  if (/^msg_[0-9A-Z]{26}$/.test(text)) return [{ to: `/messages/${text}`, label: words.message(text) }];
  if (/^req_[0-9A-Za-z]+$/.test(text)) return [{ to: `/requests/${text}`, label: words.request(text) }];
  if (/^[A-Z]{2,}(?:_[A-Z]+)+$/.test(text)) return [{ to: `/reasons/${text}`, label: words.reason(text) }];
  return [];
}

/** Own numbers that hold the digits, in whatever form they are typed. */
export function numbersLike(text: string, own: readonly string[]): string[] {
  const digits = text.replace(/\D/g, '');
  if (digits.length < 3 || /[a-z]/i.test(text)) return [];
  return own.filter((number) => number.includes(digits)).slice(0, offeredMax);
}

/** Own numbers that the telephone had to do with, the latest first; of one that had none, the first that could write to it. */
export function talkedTo(messages: readonly Sent[], peer: string, own: readonly string[]): string[] {
  const found = messages
    .map(({ direction, from, to }) => (direction === 'outbound' ? [from, to] : [to, from]) as [string, string])
    .filter(([number, other]) => other === peer && own.includes(number))
    .map(([number]) => number);
  return found.length > 0 ? [...new Set(found)].slice(0, offeredMax) : own.slice(0, 1);
}

/** A telephone number as people write it, ten digits being of North America; null for anything else. */
export function phoneDigits(text: string): string | null {
  if (!/^\+?[\d\s().-]+$/.test(text)) return null;
  const digits = text.replace(/\D/g, '');
  if (digits.length === 10 && !text.startsWith('+')) return `1${digits}`;
  return digits.length >= 8 && digits.length <= 15 ? digits : null;
}
