/** Companies as the gateway tells of them to its operator, and prices as lines of text. Keeps nothing. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';

export interface Rate {
  from: string;
  currency: string;
  smsPerSegment: string;
  mmsPerMessage: string;
}

export interface Account {
  accountId: string;
  name: string;
  status: 'active' | 'suspended';
  destinations: string[];
  uncertainPolicy: 'resend' | 'hold';
  smartEncoding: boolean;
  requestsPerSecond: number;
  mmsFallback: 'none' | 'links';
  supportContact: string;
  rates?: Rate[];
  version: string;
  counts: { numbers: number; campaigns: number; keys: number };
}

export interface AccountDetail extends Account {
  users: {
    userId: string;
    name: string;
    email: string;
    role: string;
    disabled: boolean;
    lastSignInAt: string | null;
  }[];
}

export function useAccounts() {
  return useQuery({ queryKey: ['accounts'], queryFn: async () => (await api.get<Account[]>('/accounts')).data });
}

export function useAccount(accountId: string) {
  return useQuery({
    queryKey: ['accounts', accountId],
    queryFn: async () => (await api.get<AccountDetail>(`/accounts/${encodeURIComponent(accountId)}`)).data,
  });
}

/** One line each: day, currency, price of a part, price of an MMS. */
export function ratesText(rates: readonly Rate[] = []): string {
  return rates.map((rate) => [rate.from, rate.currency, rate.smsPerSegment, rate.mmsPerMessage].join(' ')).join('\n');
}

/** The prices, or the first line that is none. Whether they are allowed is for the gateway to say. */
export function ratesFrom(text: string): Rate[] | { wrong: string } {
  const rates: Rate[] = [];
  for (const line of text.split('\n')) {
    const words = line.trim().split(/[\s,;]+/);
    if (words.length === 1 && words[0] === '') continue;
    const [from, currency, smsPerSegment, mmsPerMessage] = words;
    if (words.length !== 4) return { wrong: line.trim() };
    rates.push({
      from: from!,
      currency: currency!.toUpperCase(),
      smsPerSegment: smsPerSegment!,
      mmsPerMessage: mmsPerMessage!,
    });
  }
  return rates;
}

/** What a part costs on a day (`YYYY-MM-DD`); null before the first price. */
export function priceOn(day: string, rates: readonly Rate[] = []): Rate | null {
  const begun = rates.filter(({ from }) => from <= day).sort((a, b) => (a.from < b.from ? 1 : -1));
  return begun[0] ?? null;
}
