/** Who is signed in, and their permissions. Every page reads this first. */
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
    /** Whether the password alone is not enough: they have an authenticator app or passkeys. */
    twoFactor: boolean;
    authenticator: boolean;
    passkeys: number;
    /** False: they sign in through their identity provider. */
    password: boolean;
    recoveryCodesLeft: number;
    singleKeys: boolean;
    /** A tag such as `es`; null: none chosen. */
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
  /** The role as which the portal is shown, with no permissions beyond their own; null = their own role. */
  viewAs: Role | null;
  viewableRoles: Role[];
  environment: Environment;
  environments: Environment[];
  csrf: string;
  /** Whether the simulated carrier runs. */
  sandbox: boolean;
  version: string;
  /** The limits that a page checks before something is sent. */
  limits: { smsSegmentsMax: number; mmsTextCharactersMax: number };
  /** The address of this gateway for customers' programs. */
  baseUrl: string;
  /** The value that the operator set; null = none. */
  publicUrl: string | null;
  timeZone: string | null;
  /** The deadline for setting up their second factor, set by the company; null = not required. */
  secondFactorDue: string | null;
  /** From when the operator requires a second factor of everybody. */
  secondFactorFrom: string | null;
}

export const meQuery = queryOptions({
  queryKey: ['me'],
  staleTime: 60_000,
  retry: false,
  queryFn: async (): Promise<Me | null> => {
    try {
      const { data } = await api.get('/me');
      // A new visitor sees the portal in their language; a page in use is not reloaded.
      const chosen = isSignedIn() ? null : offeredLanguage(data.user.language);
      if (chosen !== null) speak(chosen);
      setCsrf(data.csrf);
      setTimeZone(data.timeZone ?? data.account.timeZone);
      return data;
    } catch (error) {
      // After the session ended, the page stays until the sign-in page replaces it.
      if (error instanceof ApiError && error.status === 401 && !isSignedIn()) return null;
      throw error;
    }
  },
});

/** For pages behind the sign-in, which are shown only to signed-in people. */
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

/** Whether only their profile opens until their second factor is set up. */
export function useIsShut(): boolean {
  const client = useQueryClient();
  const { secondFactorDue } = useMe();
  const [isRefused, setRefused] = useState(false);
  useEffect(() => {
    onAccessRefused((refusal) => {
      if (refusal === 'NOT_SIGNED_IN') return leaveSignedOut();
      // By the gateway's clock, not the browser's.
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
