/**
 * Says that the company requires a second factor: a banner above every page, and a page of its own after the deadline.
 */
import { Link } from '@tanstack/react-router';
import { labelsOf } from '../../language/labels';
import { LinkButton } from '../../ui/Button';
import { Icon } from '../../ui/icons';
import { Page } from '../../ui/Page';
import { Notice } from '../../ui/States';
import { Time } from '../../ui/Values';
import styles from './Profile.module.css';

const profileWords = labelsOf('profile');

const words = profileWords.factorDue;

export function FactorStrip({ due }: { due: string }) {
  return (
    <div className={styles.strip} role="status">
      <Icon name="warning" />
      <span>
        {words.until} <Time at={due} />.
      </span>
      <Link to="/profile">{words.go}</Link>
    </div>
  );
}

export function FactorNeeded() {
  return (
    <Page title={words.over}>
      <Notice
        tone="warn"
        title={words.overWhat}
        actions={
          <LinkButton to="/profile" look="primary">
            {words.go}
          </LinkButton>
        }
      />
    </Page>
  );
}
