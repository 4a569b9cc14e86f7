/** After the sandbox: your own program, and the data that a real carrier needs. */
import { Link } from '@tanstack/react-router';
import { useMay, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { LinkButton } from '../../ui/Button';
import { Panel } from '../../ui/Page';
import { Code } from '../../ui/Values';
import styles from './Games.module.css';

const { ownCode: own, realCarrier: labels } = labelsOf('game');

export function OwnCode() {
  return (
    <Panel title={own.title}>
      <p>{own.what}</p>
      <Code text="npx helio listen --forward-to http://localhost:3000/hooks" what={own.command} />
      <p className={styles.muted}>
        {own.or} <Link to="/webhooks">{own.endpoint}</Link>
      </p>
    </Panel>
  );
}

export function RealCarrier() {
  const { user } = useMe();
  const operator = useMay('operator');
  return (
    <Panel
      title={labels.title}
      actions={
        operator && (
          <LinkButton to="/carriers" icon="plus">
            {labels.go}
          </LinkButton>
        )
      }
    >
      <h3>{labels.needed}</h3>
      <ul className={styles.list}>
        {labels.needs.map((need) => (
          <li key={need}>{need}</li>
        ))}
        {operator && !user.twoFactor && (
          <li>
            {labels.second} <Link to="/profile">{labels.profile}</Link>
          </li>
        )}
      </ul>
      <h3>{labels.changes}</h3>
      <ul className={styles.list}>
        {labels.stays.map((one) => (
          <li key={one}>{one}</li>
        ))}
      </ul>
      {!operator && <p className={styles.muted}>{labels.operatorOnly}</p>}
    </Panel>
  );
}
