/** Shared by both handset pages: the title, and the list of phones. */
import { lazy, type ReactNode, Suspense, useState } from 'react';
import { useMay, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button, LinkButton } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { Page, Panel } from '../../ui/Page';
import { Empty, Loading, Notice } from '../../ui/States';
import { Copyable } from '../../ui/Values';
import styles from './Handsets.module.css';
import { isOnlyHere } from './handsets';
import { Phones } from './Phones';

const labels = labelsOf('handset');
const phoneLabels = labels.phone;

const QrCode = lazy(() => import('../profile/QrCode').then((one) => ({ default: one.QrCode })));

/**
 * The address of a handset's page as a QR code, for the camera of a real telephone; it requires a sign-in there too.
 */
function OpenOnPhone({ number }: { number: string | null }) {
  const [open, setOpen] = useState(false);
  const { baseUrl } = useMe();
  const address = `${baseUrl.replace(/\/$/, '')}/handsets${number === null ? '' : `/${number}`}`;
  return (
    <>
      <Button icon="handset" onPress={() => setOpen(true)}>
        {phoneLabels.open}
      </Button>
      <Dialog title={phoneLabels.title} open={open} onClose={() => setOpen(false)}>
        <p>{phoneLabels.what}</p>
        {isOnlyHere(address) && (
          <Notice tone="warn" title={phoneLabels.onlyHere}>
            {phoneLabels.onlyHereHow}
          </Notice>
        )}
        <Suspense fallback={<Loading />}>
          <QrCode text={address} label={phoneLabels.code} />
        </Suspense>
        <Copyable value={address} what={phoneLabels.address} />
      </Dialog>
    </>
  );
}

export function HandsetFrame({
  number,
  tabTitle,
  children,
}: {
  number: string | null;
  /** For the browser's tab. */
  tabTitle?: string;
  children: ReactNode;
}) {
  const me = useMe();
  const may = useMay('send');
  const off = !me.sandbox || me.environment !== 'sandbox';
  return (
    <Page
      title={labels.title}
      {...(tabTitle !== undefined && { tabTitle })}
      actions={
        <>
          {!off && <OpenOnPhone number={number} />}
          {may && (
            <LinkButton to="/messages/new" icon="plus">
              {labels.compose}
            </LinkButton>
          )}
        </>
      }
    >
      {off ? (
        <Empty title={me.sandbox ? labels.live : labels.sandboxOff}>
          {me.sandbox ? labels.liveDetail : labels.sandboxOffDetail}
        </Empty>
      ) : number === null ? (
        <div className={styles.two}>
          <Panel title={labels.phones}>
            <Phones number={number} />
          </Panel>
          {children}
        </div>
      ) : (
        children
      )}
    </Page>
  );
}
