/** The company as the gateway has it, and how it is saved without undoing what somebody else changed. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, api } from '../../api/client';
import { meQuery } from '../../api/session';

export interface Company {
  accountId: string;
  name: string;
  status: 'active' | 'suspended';
  destinations: string[];
  uncertainPolicy: 'resend' | 'hold';
  smartEncoding: boolean;
  mmsFallback: 'none' | 'links';
  supportContact: string;
  timeZone: string | null;
  rates: Rate[];
  bodyDays: number;
  metadataDays: number;
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
  return useQuery({ queryKey, queryFn: async () => (await api.get<Company>('/company')).data });
}

export type CompanyForm = Partial<Omit<Company, 'accountId' | 'status' | 'rates' | 'version'>> & { version: string };

export function useSaveCompany() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (form: CompanyForm) => api.post<Company>('/company', form),
    onSuccess: ({ data }) => {
      client.setQueryData(queryKey, data);
      void client.invalidateQueries({ queryKey: meQuery.queryKey });
    },
  });
}

/** The company as it is now, when saving found that somebody else had changed it. */
export function conflictOf(error: unknown): Company | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  return (error.data as { current?: Company } | undefined)?.current ?? null;
}
