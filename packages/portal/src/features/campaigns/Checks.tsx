/** Rules of the form, kept or not, each with a link to its field. */

import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Badge } from '../../ui/Status';
import styles from './Campaigns.module.css';
import type { Check } from './campaigns';

const campaignLabels = labelsOf('campaign');

const labels = campaignLabels.checks;

/** Focuses the field of this name (`samples.1`), or the first of its group. */
export function goToField(name: string): void {
  const holder = document.querySelector(
    `[data-field="${CSS.escape(name)}"], [data-field="${CSS.escape(name.split('.')[0]!)}"]`,
  );
  holder?.querySelector<HTMLElement>('input, textarea, button')?.focus();
}

/** Focuses the first field of a page of the wizard, or the page itself without one. */
export function goInto(page: HTMLElement | null): void {
  const field = page?.querySelector<HTMLElement>('[data-field] :is(input, textarea, button):not([tabindex="-1"])');
  (field ?? page)?.focus();
}

export function Checks({ checks, onGoTo }: { checks: readonly Check[]; onGoTo(field: string): void }) {
  const kept = checks.filter(({ ok }) => ok);
  return (
    <>
      <OpenChecks checks={checks} done={labels.all} onGoTo={onGoTo} />
      {kept.length > 0 && (
        <details className={styles.kept}>
          <summary>{labels.kept(kept.length)}</summary>
          <ul className={styles.list}>
            {kept.map(({ rule, field, sentence }) => (
              <li key={`${rule} ${field}`} className={styles.item}>
                <Badge tone="ok" icon="check" word={labels.pass} />
                <span className={styles.sentence}>{sentence}</span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

/** Only the missing ones; `done` when there are none. */
export function OpenChecks({
  checks,
  done,
  onGoTo,
}: {
  checks: readonly Check[];
  done: string;
  onGoTo?(field: string): void;
}) {
  const open = checks.filter(({ ok }) => !ok);
  if (open.length === 0) {
    return (
      <p className={styles.line}>
        <Badge tone="ok" icon="check" word={labels.pass} />
        <span>{done}</span>
      </p>
    );
  }
  return (
    <>
      <p role="status">{labels.open(open.length)}</p>
      <ul className={styles.list}>
        {open.map(({ rule, field, sentence }) => (
          <li key={`${rule} ${field}`} className={styles.item}>
            <Badge tone="warn" icon="warning" word={labels.fix} />
            <span className={styles.sentence}>{sentence}</span>
            {onGoTo !== undefined && (
              <Button icon="right" aria-label={`${labels.goTo}: ${sentence}`} onPress={() => onGoTo(field)}>
                {labels.goTo}
              </Button>
            )}
          </li>
        ))}
      </ul>
    </>
  );
}
