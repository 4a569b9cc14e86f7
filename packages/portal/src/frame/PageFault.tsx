/** A page that does not exist, and one that failed. */
import { useQuery } from '@tanstack/react-query';
import { useRouter, useRouterState } from '@tanstack/react-router';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { useConnection, useIsAway } from '../api/away';
import { api, isAbsent } from '../api/client';
import { meQuery } from '../api/session';
import { labelsOf } from '../language/labels';
import { Button, LinkButton } from '../ui/Button';
import { Page, Row } from '../ui/Page';
import { Away, Fault, MessageSearch } from '../ui/States';
import { menuEntries, menuPathOf } from './navigation';
import styles from './PageFault.module.css';

const frameLabels = labelsOf('frame');

/** Within the frame for signed-in people. */
export function NotFoundPage() {
  const me = useQuery(meQuery);
  if (me.isPending) return null;
  if (me.data != null)
    return (
      <Suspense>
        <Frame>
          <NoSuchPage signedIn />
        </Frame>
      </Suspense>
    );
  return (
    <div className={styles.alone}>
      <NoSuchPage signedIn={false} />
    </div>
  );
}

function NoSuchPage({ signedIn }: { signedIn: boolean }) {
  const labels = frameLabels.notFound;
  return (
    <Page title={labels.title}>
      <p>{labels.detail}</p>
      {signedIn && <MessageSearch />}
      <Row>
        <LinkButton to="/" look="primary">
          {labels.home}
        </LinkButton>
        {signedIn && <LinkButton to="/messages">{labels.messages}</LinkButton>}
        <a href="/docs">{labels.docs}</a>
      </Row>
    </Page>
  );
}

/** Loaded with the first page behind the sign-in; the sign-in itself does not need it. */
const Frame = lazy(() => import('./Frame').then((one) => ({ default: one.Frame })));

/** Browsers' messages for a part of the portal that failed to load. */
const notFetched = /dynamically imported module|importing a module script|unable to preload/i;

/** Replaces a page inside the frame. Missing parts are fetched once the gateway answers again. */
export function InsideFault({ error }: { error: unknown }) {
  const connection = useConnection();
  const isAway = useIsAway();
  const before = useRef(connection);
  const menuPath = useRouterState({ select: ({ location }) => menuPathOf(location.pathname) });
  const isNotFetched = error instanceof Error && notFetched.test(error.message);
  useEffect(() => {
    // A browser does not retry a module that failed: only a new document does.
    if (isNotFetched && before.current === 'reconnecting' && connection === 'live') location.reload();
    else if (isNotFetched && connection === 'live') void reloadOnce();
    before.current = connection;
  }, [isNotFetched, connection]);
  if (!isNotFetched) return <PageFault error={error} />;
  return (
    <Page title={menuEntries.find(({ to }) => to === menuPath)?.label ?? frameLabels.notFetched.title}>
      <Away />
      {!isAway && <LoadAgain />}
    </Page>
  );
}

/**
 * The gateway was updated and has other parts than this document names. Reloads once for each URL, so that it cannot go
 * on for ever.
 */
async function reloadOnce(): Promise<void> {
  const key = `helio-loaded-again:${location.pathname}`;
  const isThere = await api.get('/me').then(
    () => true,
    () => false,
  );
  if (!isThere || sessionStorage.getItem(key) !== null) return;
  sessionStorage.setItem(key, '1');
  location.reload();
}

export function PageFault({ error }: { error: unknown }) {
  const router = useRouter();
  const labels = frameLabels.fault;
  const isAway = useIsAway();
  if (isAbsent(error, isAway))
    return (
      <div className={styles.alone}>
        <Page title={frameLabels.notFetched.title}>
          <Away retry={() => void router.invalidate()} />
        </Page>
      </div>
    );
  return (
    <div className={styles.alone}>
      <Page title={labels.title}>
        <p>{labels.detail}</p>
        <Fault error={error} />
        <LoadAgain />
      </Page>
    </div>
  );
}

function LoadAgain() {
  return (
    <p>
      <Button onPress={() => location.reload()}>{frameLabels.fault.again}</Button>
    </p>
  );
}
