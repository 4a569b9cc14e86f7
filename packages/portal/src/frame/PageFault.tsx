/** A page that does not exist, and one that failed. */
import { useQuery } from '@tanstack/react-query';
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
