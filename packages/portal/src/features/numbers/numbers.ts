/** Sending numbers from the gateway, their queries and changes. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, api } from '../../api/client';
import type { NumberRow, NumberWhole } from '../../api/routes/numbers';
import { csvText } from '../../ui/csv';

export type { NumberRow, NumberWhole };

/** Value of the campaign filter for numbers without one. */
export const withoutCampaign = 'none';

export interface NumberChange {
  smsEnabled?: boolean;
  mmsEnabled?: boolean;
  campaignId?: string | null;
  name?: string;
  messagesPerSecond?: number;
  verified?: boolean;
  countries?: string[];
}

export interface NumberForm {
  name: string;
  campaignId: string;
  rate: string;
  /** Of a name as sender, with commas between them. */
  countries: string;
}

export function numberFormOf({ name, campaignId, messagesPerSecond, countries }: NumberRow): NumberForm {
  const written = (countries ?? []).join(', ');
  return { name, campaignId: campaignId ?? '', rate: String(messagesPerSecond), countries: written };
}

/** A name in place of a number. */
export const isName = (sender: string): boolean => /[A-Za-z]/.test(sender);

export const countriesIn = (text: string): string[] =>
  text
    .toUpperCase()
    .split(/[\s,;]+/)
    .filter((code) => code !== '');

export function useNumbers() {
  return useQuery({ queryKey: ['numbers'], queryFn: async () => (await api.get('/numbers')).data });
}

export function useNumber(number: string) {
  return useQuery({
    queryKey: ['numbers', number],
    queryFn: async () => (await api.get('/numbers/:number', { number })).data,
  });
}

/** One change of a number, if it is unchanged since the person saw it. */
export function useChangeNumber(number: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (change: NumberChange & { version: string }) =>
      (await api.post('/numbers/:number', change, { number })).data,
    onSuccess: (data) => client.setQueryData(['numbers', number], data),
    onSettled: () => client.invalidateQueries({ queryKey: ['numbers'] }),
  });
}

export function useAddNumber() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (form: { number: string; name: string; campaignId: string | null; countries?: string[] }) =>
      (await api.post('/numbers', form)).data,
    onSuccess: () => client.invalidateQueries({ queryKey: ['numbers'] }),
  });
}

export function isConflict(error: unknown): boolean {
  return error instanceof ApiError && error.status === 409;
}

export interface NumberFilter {
  search: string;
  canSend: string;
  campaign: string;
}

/** Digits match in any notation, words in the name and the campaign. */
export function fitting(rows: readonly NumberRow[], { search, canSend, campaign }: NumberFilter): NumberRow[] {
  const wanted = search.trim().toLowerCase();
  const digits = wanted.replace(/\D/g, '');
  return rows.filter((row) => {
    const named = `${row.name} ${row.campaignName ?? ''}`.toLowerCase().includes(wanted);
    const found = wanted === '' || named || (digits !== '' && row.number.includes(digits));
    const sends = canSend === '' || (canSend === 'yes') === row.canSend.ok;
    return found && sends && (campaign === '' || (row.campaignId ?? withoutCampaign) === campaign);
  });
}

/** In the import's format, followed by columns that the import ignores. */
export function csvOf(rows: readonly NumberRow[]): string {
  const head = [
    ...['number', 'name', 'sms', 'mms', 'campaign', 'messages_per_second'],
    ...['campaign_status', 'can_send', 'why_not'],
  ];
  const lines = rows.map((row) => [
    ...[row.number, row.name, row.smsEnabled, row.mmsEnabled, row.campaignId, row.messagesPerSecond],
    ...[row.campaignStatus, row.canSend.ok, row.canSend.sentence ?? ''],
  ]);
  return csvText([head, ...lines]);
}
