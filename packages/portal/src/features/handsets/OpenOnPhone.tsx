/** The address of a handset's page as a QR code, for the camera of a real telephone; a sign-in is asked for there as here. */
import { lazy, Suspense, useState } from 'react';
import { useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Loading, Notice } from '../../ui/States';
import { Copyable } from '../../ui/Values';
import { isOnlyHere } from './handsets';

const handsetWords = labelsOf('handset');

const words = handsetWords.phone;

const QrCode = lazy(() => import('../profile/QrCode').then((one) => ({ default: one.QrCode })));

export function OpenOnPhone({ number }: { number: string | null }) {
  const [open, setOpen] = useState(false);
  const { baseUrl } = useMe();
  const address = `${baseUrl.replace(/\/$/, '')}/handsets${number === null ? '' : `/${number}`}`;
  return (
    <>
      <Button icon="handset" onPress={() => setOpen(true)}>
        {words.open}
      </Button>
      <Dialog title={words.title} open={open} onClose={() => setOpen(false)}>
        <p>{words.what}</p>
        {isOnlyHere(address) && (
          <Notice tone="warn" title={words.onlyHere}>
            {words.onlyHereHow}
          </Notice>
        )}
        <Suspense fallback={<Loading />}>
          <QrCode text={address} label={words.code} />
        </Suspense>
        <Copyable value={address} what={words.address} />
      </Dialog>
    </>
  );
}
