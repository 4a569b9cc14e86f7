/** The company from the gateway, saved without overwriting another person's change. */

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, api } from '../../api/client';
import { meQuery, type Role } from '../../api/session';
import type { BodyOf } from '../../api/typed';
import type { Quiet, Weekday } from './quiet';

export interface Company {
  accountId: string;
  name: string;
  status: 'active' | 'suspended';
  destinations: string[];
  /** The destinations that the operator allows. */
  destinationsMax: string[];
  fraudGuard: 'on' | 'off';
  /** Whether the operator lets the company turn it off. */
  fraudGuardOptional: boolean;
  uncertainPolicy: 'resend' | 'hold';
  repeatsUnanswered: number;
  repeatsBroken: number;
  smartEncoding: boolean;
  mmsFallback: 'none' | 'links';
  animations: 'still' | 'refuse';
  supportContact: string;
  timeZone: string | null;
  /** Decimal text in the currency of the rates. */
  monthlyBudget: string | null;
  rates: Rate[];
  bodyDays: number;
  metadataDays: number;
  /** Which roles need a second factor, and the grace period for setting it up; null = none. */
  secondFactor: { roles: Role[]; graceDays: number } | null;
  quietHours: Quiet | null;
  /** The default for new key pairs. */
  exactShapeDefault: boolean;
  passwordCharactersMin: number;
  version: string;
}

export interface QuietForm {
  on: boolean;
  from?: string;
  to?: string;
  days?: readonly Weekday[];
  exceptCampaigns?: readonly string[];
  version: string;
}

export interface Rate {
  from: string;
  currency: string;
  smsPerSegment: string;
  mmsPerMessage: string;
}

const queryKey = ['company'];

export function useCompany() {
  return useQuery({
    queryKey,
    queryFn: async () => (await api.get('/company')).data,
    // Quiet hours begin and end without an event.
    refetchInterval: ({ state }) => (state.data?.quietHours == null ? false : 60_000),
  });
}

export type CompanyForm = Partial<
  Omit<Company, 'accountId' | 'status' | 'rates' | 'secondFactor' | 'quietHours' | 'passwordCharactersMin' | 'version'>
> & {
  /** Text when the input is not a number. */
  passwordCharactersMin?: number | string;
  version: string;
};

export function useSaveCompany() {
  return useCompanyChange<CompanyForm>('/company');
}

export function useSaveQuietHours() {
  return useCompanyChange<QuietForm>('/company/quiet-hours');
}

export function useSaveSecondFactor() {
  return useCompanyChange<{ roles: Role[]; graceDays: number | string; version: string }>('/company/second-factor');
}

type Change = '/company' | '/company/quiet-hours' | '/company/second-factor';

function useCompanyChange<F>(path: Change) {
  const client = useQueryClient();
  return useMutation({
    // Invalid numbers are sent as typed, so that the gateway says what is allowed.
    mutationFn: (form: F) => api.post(path, form as BodyOf<'POST', typeof path>),
    onSuccess: ({ data }) => {
      client.setQueryData(queryKey, data);
      void client.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
}

/** The current company, when a save found another person's change. */
export function conflictOf(error: unknown): Company | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  return (error.data as { current?: Company } | undefined)?.current ?? null;
}
