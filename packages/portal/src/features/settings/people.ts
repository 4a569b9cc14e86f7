/** People of the company, their roles, and invitations. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { Role } from '../../api/session';

export interface Person {
  userId: string;
  name: string;
  email: string;
  role: Role;
  operator: boolean;
  disabled: boolean;
  /** May open Conversations. */
  readsTexts: boolean;
  /** The other fields are for people who manage users. */
  twoFactor?: boolean;
  lastSignInAt?: string | null;
}

export interface Invitation {
  invitationId: string;
  email: string;
  name: string;
  role: Role;
  invitedBy: string;
  createdAt: string;
  expiresAt: string;
}

export interface Roles {
  roles: Role[];
  permissions: { permission: string; who: string }[];
}

export function usePeople() {
  return useQuery({ queryKey: ['users'], queryFn: async () => (await api.get('/users')).data });
}

export function useInvitations(enabled: boolean) {
  return useQuery({
    queryKey: ['invitations'],
    enabled,
    queryFn: async () => (await api.get('/users/invitations')).data,
  });
}

export function useRoles() {
  return useQuery({
    queryKey: ['roles'],
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => (await api.get('/roles')).data,
  });
}
