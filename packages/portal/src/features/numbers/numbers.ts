/** Sending numbers as the gateway shows them, and how they are asked for and changed. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, api } from '../../api/client';
import type { NumberRow, NumberWhole } from '../../api/routes/numbers';
import { csvText } from '../../ui/csv';

export type { NumberRow, NumberWhole };

/** Of the filter by campaign: numbers that have none. */
export const withoutCampaign = 'none';

export interface NumberChange {
  smsEnabled?: boolean;
  mmsEnabled?: boolean;
  campaignId?: string | null;
  name?: string;
  messagesPerSecond?: number;
}

export interface NumberForm {
  name: string;
  campaignId: string;
  rate: string;
}

export function numberFormOf({ name, campaignId, messagesPerSecond }: NumberRow): NumberForm {
  return { name, campaignId: campaignId ?? '', rate: String(messagesPerSecond) };
}

export function useNumbers() {
  return useQuery({ queryKey: ['numbers'], queryFn: async () => (await api.get('/numbers')).data });
}

export function useNumber(number: string) {
  return useQuery({
    queryKey: ['numbers', number],
    queryFn: async () => (await api.get('/numbers/:number', { number })).data,
  });
}

/** One change of a number that is still as it was seen. */
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
    mutationFn: async (form: { number: string; name: string; campaignId: string | null }) =>
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

/** Digits are looked for in any form of writing, words in the name and the campaign. */
export function fitting(rows: readonly NumberRow[], { search, canSend, campaign }: NumberFilter): NumberRow[] {
  const words = search.trim().toLowerCase();
  const digits = words.replace(/\D/g, '');
  return rows.filter((row) => {
    const named = `${row.name} ${row.campaignName ?? ''}`.toLowerCase().includes(words);
    const found = words === '' || named || (digits !== '' && row.number.includes(digits));
    const sends = canSend === '' || (canSend === 'yes') === row.canSend.ok;
    return found && sends && (campaign === '' || (row.campaignId ?? withoutCampaign) === campaign);
  });
}

/** As the import reads it, with what is only to be read behind it. */
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
