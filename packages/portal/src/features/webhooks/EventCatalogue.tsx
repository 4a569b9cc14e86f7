/** Every event type with an example and its JSON Schema, and a button that creates one. */
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { EventCatalogue as Catalogue, DescribedEvent } from '../../api/routes/webhooks';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { FormFault, Notice, Shown } from '../../ui/States';
import { Code } from '../../ui/Values';
import styles from './Webhooks.module.css';
import { pretty, useCatalogue } from './webhooks';

const webhookLabels = labelsOf('webhook');

const labels = webhookLabels.catalogue;

export function EventCatalogue() {
  const catalogue = useCatalogue();
  return (
    <div className={styles.stack}>
      <p>{labels.what}</p>
      <Shown of={catalogue}>
        {({ events, flat }) => (
          <>
            {events.map((event) => (
              <Event key={event.type} of={event} />
            ))}
            <Flat of={flat} />
          </>
        )}
      </Shown>
    </div>
  );
}

function Event({ of: { type, example, schema } }: { of: DescribedEvent }) {
  const mayManage = useMay('manageWebhooks');
  const trigger = useMutation({ mutationFn: () => api.post('/events/trigger', { type }) });
  return (
    <details className={styles.entry}>
      <summary>
        <code>{type}</code>
        <span className={styles.muted}>{webhookLabels.eventLines[type]}</span>
      </summary>
      <div>
        <FormFault error={trigger.error} />
        {mayManage && (
          <div className={styles.line}>
            <Button onPress={() => trigger.mutate()} isPending={trigger.isPending}>
              {labels.trigger}
            </Button>
            <span role="status">{trigger.isSuccess && <Notice tone="ok" title={labels.triggered} />}</span>
          </div>
        )}
        <Blocks
          blocks={[
            [labels.example, example],
            [labels.schema, schema],
          ]}
        />
      </div>
    </details>
  );
}

function Flat({ of }: { of: Catalogue['flat'] }) {
  return (
    <details className={styles.entry}>
      <summary>
        {labels.flatTitle}
        <span className={styles.muted}>{labels.flatLine}</span>
      </summary>
      <div>
        <Blocks
          blocks={[
            [labels.receipt, of.examples.receipt],
            [labels.reply, of.examples.reply],
            [labels.schema, of.schema],
          ]}
        />
      </div>
    </details>
  );
}

function Blocks({ blocks }: { blocks: readonly (readonly [string, object])[] }) {
  return (
    <div className={styles.pair}>
      {blocks.map(([title, value]) => (
        <div key={title} className={styles.stack}>
          <h3>{title}</h3>
          <Code text={pretty(value)} what={title} />
        </div>
      ))}
    </div>
  );
}
