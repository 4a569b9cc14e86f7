/** A page that does not exist, and one that failed. */
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { useLiveState } from '../api/live';
import { meQuery } from '../api/session';
import { Button, LinkButton } from '../ui/Button';
import { Page, Row } from '../ui/Page';
import { Fault, MessageSearch } from '../ui/States';
import { frameWords } from '../words/en/frame';
import { Frame } from './Frame';
import styles from './PageFault.module.css';

/** Within the frame for whoever is signed in. */
export function NotFoundPage() {
  const me = useQuery(meQuery);
  if (me.isPending) return null;
  if (me.data != null)
    return (
      <Frame>
        <NoSuchPage signedIn />
      </Frame>
    );
  return (
    <div className={styles.alone}>
      <NoSuchPage signedIn={false} />
    </div>
  );
}

function NoSuchPage({ signedIn }: { signedIn: boolean }) {
  const words = frameWords.notFound;
  return (
    <Page title={words.title}>
      <p>{words.detail}</p>
      {signedIn && <MessageSearch />}
      <Row>
        <LinkButton to="/" look="primary">
          {words.home}
        </LinkButton>
        {signedIn && <LinkButton to="/messages">{words.messages}</LinkButton>}
        <a href="/docs">{words.docs}</a>
      </Row>
    </Page>
  );
}

/** How browsers say that a part of the portal did not come. */
const notFetched = /dynamically imported module|importing a module script|unable to preload/i;

/** In the place of a page: the frame around it stays. What was not fetched is fetched once the gateway answers again. */
export function InsideFault({ error }: { error: unknown }) {
  const words = frameWords.notFetched;
  const state = useLiveState();
  const before = useRef(state);
  const isNotFetched = error instanceof Error && notFetched.test(error.message);
  useEffect(() => {
    // A browser does not ask twice for a part that failed: only a new document does.
    if (isNotFetched && before.current === 'reconnecting' && state === 'live') location.reload();
    before.current = state;
  }, [isNotFetched, state]);
  if (!isNotFetched) return <PageFault error={error} />;
  return (
    <Page title={words.title}>
      <p>{words.detail}</p>
      <p>
        <Button onPress={() => location.reload()}>{frameWords.fault.again}</Button>
      </p>
    </Page>
  );
}

export function PageFault({ error }: { error: unknown }) {
  const words = frameWords.fault;
  return (
    <div className={styles.alone}>
      <Page title={words.title}>
        <p>{words.detail}</p>
        <Fault error={error} />
        <p>
          <Button onPress={() => location.reload()}>{words.again}</Button>
        </p>
      </Page>
    </div>
  );
}
