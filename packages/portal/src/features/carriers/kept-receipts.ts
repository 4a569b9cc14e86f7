/** Unmatched receipts, and the messages that each may be for, from the gateway. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useLiveState } from '../../api/live';
import type { carrierLabels } from './labels.en';

export interface KeptReceipt {
  carrier: string;
  carrierMessageId: string;
  to: string | null;
  state: string;
  raw: string;
  receivedAt: string;
}

export interface Candidate {
  messageId: string;
  accountName: string;
  from: string;
  to: string;
  state: string;
  part: number;
  partCount: number;
  carrierMessageId: string | null;
  handedOverAt: string;
  refusal: string | null;
  clues: { speaks: 'for' | 'against' | 'neither'; what: keyof typeof carrierLabels.match.clues; byMs?: number }[];
}

const lookEveryMs = 10_000;

export function useUnmatched() {
  const paused = useLiveState() === 'paused';
  return useQuery({
    queryKey: ['carriers', 'unmatched'],
    queryFn: async () => (await api.get('/unmatched')).data,
    refetchInterval: paused ? false : lookEveryMs,
  });
}

/** The identity of a receipt. */
export function nameOf({ carrier, carrierMessageId, to, state }: KeptReceipt) {
  return { carrier, carrierMessageId, to, state };
}

export function receiptKey(receipt: KeptReceipt): string {
  return JSON.stringify(Object.values(nameOf(receipt)));
}

export function useCandidates(receipt: KeptReceipt, messageId: string) {
  return useQuery({
    queryKey: ['carriers', 'unmatched', receiptKey(receipt), messageId],
    queryFn: async () => {
      const body = { receipt: nameOf(receipt), messageId };
      return (await api.post('/unmatched/candidates', body)).data.candidates;
    },
    retry: false,
  });
}
