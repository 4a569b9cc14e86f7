/** Sign-in with a passkey: by a button, or chosen in the list under the address field. */
import { useEffect, useRef, useState } from 'react';
import { api } from '../../api/client';
import { askPasskey, endAsking, offersInFields, PasskeyEnded } from '../../api/passkeys';
import { PasskeyButton, PasskeyFault } from './PasskeyButton';

/** Renewed before the gateway drops its challenge, after five minutes. */
const challengeRenewedMs = 4 * 60_000;

export function PasskeySignIn({ onDone }: { onDone(): void }) {
  const send = async (response: object) => {
    await api.post('/sign-in/passkey', { response });
    onDone();
  };
  const [fault, setFault] = useState<Error | null>(null);
  const latest = useRef(send);
  useEffect(() => {
    latest.current = send;
  });
  useEffect(() => {
    let isOver = false;
    let hasRequest = false;
    const requestPasskey = async () => {
      if (isOver || !(await offersInFields()) || isOver) return;
      hasRequest = true;
      try {
        await latest.current(await askPasskey({ inFields: true }));
      } catch (error) {
        // Ended by the button, by leaving the page, or by the next request.
        if (!isOver && !(error instanceof PasskeyEnded)) setFault(error as Error);
      }
    };
    void requestPasskey();
    const again = setInterval(() => void requestPasskey(), challengeRenewedMs);
    return () => {
      isOver = true;
      clearInterval(again);
      if (hasRequest) void endAsking();
    };
  }, []);
  return (
    <>
      <PasskeyFault error={fault} />
      <PasskeyButton onResponse={send} />
    </>
  );
}
