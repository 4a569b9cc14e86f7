/** The state of endpoints and deliveries: an icon, a word, and its figures. */

import type { Delivery } from '../../api/routes/deliveries';
import type { Endpoint } from '../../api/routes/endpoints';
import type { EndpointHealth } from '../../api/routes/webhooks';
import { numberText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Badge, StatusBadge } from '../../ui/Status';
import { Time } from '../../ui/Values';
import styles from './Webhooks.module.css';
import { healthOf } from './webhooks';

const labels = labelsOf('webhook');

/** A word, then the figures behind it. */
export function HealthShown({ of, health }: { of: Endpoint; health: EndpointHealth | undefined }) {
  const state = healthOf(of, health);
  return (
    <div className={styles.line}>
      {state === 'untried' ? (
        <Badge tone="neutral" icon="queued" word={labels.untried} />
      ) : (
        <StatusBadge state={state} />
      )}
      {health !== undefined && health.tried > 0 && (
        <span className={styles.muted}>
          {labels.health.share(health.succeeded / health.tried)} {labels.health.of(health.tried)}
          {health.p95Ms !== null && ` · ${labels.health.p95(numberText(health.p95Ms))}`}
        </span>
      )}
      {health?.failingSince != null && (
        <span className={styles.muted}>
          {labels.health.failingSince} <Time at={health.failingSince} form="relative" />
        </span>
      )}
    </div>
  );
}

/** A webhook that failed was sent: the word for messages would be wrong. */
export function DeliveryBadge({ of: { state, lastStatus } }: { of: Delivery }) {
  return (
    <span className={styles.line}>
      {state === 'failed' ? (
        <Badge tone="bad" icon="cross" word={labels.deliveries.states.failed} />
      ) : (
        <StatusBadge state={state} />
      )}
      {lastStatus !== null && <code>{lastStatus}</code>}
    </span>
  );
}
