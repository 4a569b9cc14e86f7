/**
 * A sent message: the result for each recipient, and where to go next. The form is removed meanwhile, so that a second
 * press cannot send again.
 */

import { labelsOf } from '../../language/labels';
import { Button, LinkButton } from '../../ui/Button';
import { Panel, Row } from '../../ui/Page';
import { Focused, Notice } from '../../ui/States';
import styles from './Messages.module.css';
import { type Result, Results } from './Results';

const messageLabels = labelsOf('message');

const labels = messageLabels.compose;

export interface Outcome {
  dryRun: boolean;
  /** The gateway's sentence. */
  detail: string;
  results: readonly Result[];
}

/** Whether any recipient was accepted. */
export function hasGone({ dryRun, results }: Outcome): boolean {
  return !dryRun && results.some(({ status }) => status === 'SUCCESS');
}

export function Sent({
  detail,
  results,
  dropped,
  onAnew,
  onAgain,
}: Outcome & {
  /** Entries in the list of recipients that are not numbers. */
  dropped: readonly string[];
  onAnew(): void;
  onAgain(): void;
}) {
  const gone = results.filter(({ status }) => status === 'SUCCESS');
  const messageId = gone[0]?.messageId;
  return (
    <Panel title={labels.results}>
      <Focused>
        <Notice
          tone={gone.length === results.length && dropped.length === 0 ? 'ok' : 'warn'}
          title={labels.sent.title(gone.length, results.length)}
        >
          {gone.length < results.length && <p>{detail}</p>}
          {dropped.length > 0 && (
            <p className={styles.marks}>
              {labels.sent.dropped(dropped.length)}
              {dropped.slice(0, 20).map((token) => (
                <code key={token}>{token}</code>
              ))}
              {dropped.length > 20 && labels.preview.more(dropped.length - 20)}
            </p>
          )}
        </Notice>
      </Focused>
      <Results list={results} />
      <Row>
        {messageId !== undefined && (
          <LinkButton to="/messages/$messageId" params={{ messageId }} look="primary">
            {gone.length === 1 ? labels.sent.open : labels.sent.openFirst}
          </LinkButton>
        )}
        <Button icon="plus" onPress={onAnew}>
          {labels.sent.anew}
        </Button>
        <Button onPress={onAgain}>{labels.sent.again}</Button>
      </Row>
    </Panel>
  );
}
