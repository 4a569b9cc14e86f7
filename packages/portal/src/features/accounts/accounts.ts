/** Companies as the operator sees them, and their list as a table. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { csvText } from '../../ui/csv';

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
  /** Absent: its destinations. */
  destinationsMax?: string[];
  fraudGuardOptional?: boolean;
  uncertainPolicy: 'resend' | 'hold';
  repeatsUnanswered?: number;
  repeatsBroken?: number;
  smartEncoding: boolean;
  requestsPerSecond: number;
  /** Absent: the operator's. */
  waitingSecondsMax?: number;
  mmsFallback: 'none' | 'links';
  animations?: 'still' | 'refuse';
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

export function hasOwner({ users }: Pick<AccountDetail, 'users'>): boolean {
  return users.some(({ role, disabled }) => role === 'Owner' && !disabled);
}

export function useAccounts() {
  return useQuery({ queryKey: ['accounts'], queryFn: async () => (await api.get('/accounts')).data });
}

export function useAccount(accountId: string) {
  return useQuery({
    queryKey: ['accounts', accountId],
    queryFn: async () => (await api.get('/accounts/:accountId', { accountId })).data,
  });
}

/** Companies whose name or id contains the search, in any case. */
export function fittingAccounts(list: readonly Account[], search: string): Account[] {
  const wanted = search.trim().toLowerCase();
  return list.filter(({ accountId, name }) => [accountId, name].some((text) => text.toLowerCase().includes(wanted)));
}

/** Every company of the list, with the price of the day. */
export function accountsCsv(list: readonly Account[], today: string): string {
  const head = [
    ...['name', 'account_id', 'status', 'numbers', 'campaigns', 'keys', 'requests_per_second', 'destinations'],
    ...['uncertain_policy', 'smart_encoding', 'mms_fallback', 'support_contact'],
    ...['price_from', 'currency', 'sms_per_segment', 'mms_per_message'],
  ];
  const lines = list.map((account) => {
    const { counts, requestsPerSecond } = account;
    const rate = priceOn(today, account.rates);
    return [
      ...[account.name, account.accountId, account.status, counts.numbers, counts.campaigns, counts.keys],
      ...[requestsPerSecond === 0 ? null : requestsPerSecond, account.destinations.join(' ')],
      ...[account.uncertainPolicy, account.smartEncoding, account.mmsFallback, account.supportContact],
      ...[rate?.from ?? null, rate?.currency ?? null, rate?.smsPerSegment ?? null, rate?.mmsPerMessage ?? null],
    ];
  });
  return csvText([head, ...lines]);
}

/** The prices of a day (`YYYY-MM-DD`); null before the first price. */
export function priceOn(day: string, rates: readonly Rate[] = []): Rate | null {
  const begun = rates.filter(({ from }) => from <= day).sort((a, b) => (a.from < b.from ? 1 : -1));
  return begun[0] ?? null;
}
