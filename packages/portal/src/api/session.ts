/** Who is signed in, and what they may do. Every page asks this first. */
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { offeredLanguage, speak } from '../language/language';
import { ApiError, api, isSignedIn, onAccessRefused, setCsrf } from './client';
import { leaveSignedOut } from './signed-out';
import { setTimeZone } from './time-zone';

export type Permission =
  | 'read'
  | 'readBody'
  | 'send'
  | 'manageNumbers'
  | 'manageCampaigns'
  | 'manageCompany'
  | 'readAudit'
  | 'manageUsers'
  | 'manageKeys'
  | 'manageWebhooks'
  | 'manageOptOuts'
  | 'readUsage'
  | 'operator';

export type Role = 'Owner' | 'Admin' | 'Developer' | 'Support' | 'Viewer';
export type Environment = 'sandbox' | 'live';

export interface Me {
  user: {
    userId: string;
    name: string;
    email: string;
    role: Role;
    operator: boolean;
    twoFactor: boolean;
    recoveryCodesLeft: number;
    singleKeys: boolean;
    /** As a tag such as `es`; null: nothing was chosen. */
    language: string | null;
  };
  account: {
    accountId: string;
    name: string;
    status: 'active' | 'suspended';
    timeZone: string | null;
    passwordCharactersMin: number;
  };
  permissions: Permission[];
  /** The role as which the portal is shown, with no more than it may; null = as who they are. */
  viewAs: Role | null;
  viewableRoles: Role[];
  environment: Environment;
  environments: Environment[];
  csrf: string;
  /** Whether the simulated carrier runs. */
  sandbox: boolean;
  version: string;
  /** Those of them that a page looks at before something is sent. */
  limits: { smsSegmentsMax: number; mmsTextCharactersMax: number };
  /** Where customers' programs reach this gateway. */
  baseUrl: string;
  /** What the operator set as that; null = nothing. */
  publicUrl: string | null;
  timeZone: string | null;
  /** When they must have set up their second factor, as the company asks; null = nothing is asked. */
  secondFactorDue: string | null;
}

export const meQuery = queryOptions({
  queryKey: ['me'],
  staleTime: 60_000,
  retry: false,
  queryFn: async (): Promise<Me | null> => {
    try {
      const { data } = await api.get('/me');
      // Whoever has just come sees the portal in their language; a page in use is not loaded anew.
      const chosen = isSignedIn() ? null : offeredLanguage(data.user.language);
      if (chosen !== null) speak(chosen);
      setCsrf(data.csrf);
      setTimeZone(data.timeZone ?? data.account.timeZone);
      return data;
    } catch (error) {
      // Of somebody who was signed in the page stays as it is until the sign-in page takes its place.
      if (error instanceof ApiError && error.status === 401 && !isSignedIn()) return null;
      throw error;
    }
  },
});

/** For pages behind the sign-in: they are only shown when somebody is signed in. */
export function useMe(): Me {
  const { data } = useQuery(meQuery);
  if (data === null || data === undefined) throw new Error('a page was shown before the sign-in');
  return data;
}

/** The operator suspended their company: nothing is sent, added or changed. */
export function useIsSuspended(): boolean {
  return useMe().account.status === 'suspended';
}

export function useMay(permission: Permission): boolean {
  return useMe().permissions.includes(permission);
}

/** Whether nothing but their profile opens before their second factor is set up. */
export function useIsShut(): boolean {
  const client = useQueryClient();
  const { secondFactorDue } = useMe();
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    onAccessRefused((refusal) => {
      if (refusal === 'NOT_SIGNED_IN') return leaveSignedOut();
      // The clock of the gateway counts, not this browser's.
      setRefused(true);
      void client.invalidateQueries({ queryKey: meQuery.queryKey });
    });
    return () => onAccessRefused(null);
  }, [client]);
  useEffect(() => {
    if (secondFactorDue === null) setRefused(false);
  }, [secondFactorDue]);
  return secondFactorDue !== null && (isRefused || Date.parse(secondFactorDue) <= Date.now());
}
