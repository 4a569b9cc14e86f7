/** Redirects people who are signed in and are let in no more: to the sign-in page, or to their second factor. */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { onAccessRefused } from '../api/client';
import { meQuery, useMe } from '../api/session';
import { leaveSignedOut } from '../api/signed-out';

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
