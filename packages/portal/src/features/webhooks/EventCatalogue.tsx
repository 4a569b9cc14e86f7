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

const webhookWords = labelsOf('webhook');

const words = webhookWords.catalogue;

export function EventCatalogue() {
  const catalogue = useCatalogue();
  return (
    <div className={styles.stack}>
      <p>{words.what}</p>
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
        <span className={styles.muted}>{webhookWords.eventLines[type]}</span>
      </summary>
      <div>
        <FormFault error={trigger.error} />
        {mayManage && (
          <div className={styles.line}>
            <Button onPress={() => trigger.mutate()} isPending={trigger.isPending}>
              {words.trigger}
            </Button>
            <span role="status">{trigger.isSuccess && <Notice tone="ok" title={words.triggered} />}</span>
          </div>
        )}
        <Blocks
          blocks={[
            [words.example, example],
            [words.schema, schema],
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
        {words.flatTitle}
        <span className={styles.muted}>{words.flatLine}</span>
      </summary>
      <div>
        <Blocks
          blocks={[
            [words.receipt, of.examples.receipt],
            [words.reply, of.examples.reply],
            [words.schema, of.schema],
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
