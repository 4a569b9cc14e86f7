/** A page that does not exist, and one that failed. */
import { Button, LinkButton } from '../ui/Button';
import { Page } from '../ui/Page';
import { Fault } from '../ui/States';
import { frameWords } from '../words/en/frame';
import styles from './PageFault.module.css';

export function NotFoundPage() {
  const words = frameWords.notFound;
  return (
    <div className={styles.alone}>
      <Page title={words.title}>
        <p>{words.detail}</p>
        <p>
          <LinkButton to="/" look="primary">
            {words.home}
          </LinkButton>
        </p>
      </Page>
    </div>
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
