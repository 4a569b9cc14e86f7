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

const profileLabels = labelsOf('profile');

const labels = profileLabels.factorDue;

export function FactorStrip({ due }: { due: string }) {
  return (
    <div className={styles.strip} role="status">
      <Icon name="warning" />
      <span>
        {labels.until} <Time at={due} />.
      </span>
      <Link to="/profile">{labels.go}</Link>
    </div>
  );
}

export function FactorNeeded() {
  return (
    <Page title={labels.over}>
      <Notice
        tone="warn"
        title={labels.overWhat}
        actions={
          <LinkButton to="/profile" look="primary">
            {labels.go}
          </LinkButton>
        }
      />
    </Page>
  );
}
