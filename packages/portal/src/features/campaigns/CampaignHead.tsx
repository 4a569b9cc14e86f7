/** The status of a campaign, the actions possible now, and what the carriers want changed. */
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/icons';
import { Panel } from '../../ui/Page';
import { FormFault, Notice } from '../../ui/States';
import { StatusBadge } from '../../ui/Status';
import { Time } from '../../ui/Values';
import styles from './Campaigns.module.css';
import { type Campaign, isEditable, isStopped, lastTurn, openRules, stepNow, useCampaignAct } from './campaigns';

const campaignLabels = labelsOf('campaign');

const labels = campaignLabels.head;
const undecided = ['submitted', 'in_review'];

export function CampaignHead({
  of,
  mayManage,
  settled,
  seen,
  onSeeChecks,
}: {
  of: Campaign;
  mayManage: boolean;
  /** Saves the rest of the form; returns its version, or null when it could not be saved. */
  settled(): Promise<string | null>;
  /** Pages of the form that were left, and the list of rules once it was opened. */
  seen: ReadonlySet<string>;
  onSeeChecks(): void;
}) {
  const submit = useCampaignAct(of.campaignId, 'submit');
  const withdraw = useCampaignAct(of.campaignId, 'withdraw');
  const now = stepNow(of);
  const isWhole = of.checks.every(({ ok }) => ok);
  const open = openRules(of, seen);
  const version = of.versions.at(-1)?.version;
  return (
    <Panel>
      <div className={styles.line}>
        <StatusBadge state={of.status} />
        {version !== undefined && <span className={styles.muted}>{labels.version(version)}</span>}
        {undecided.includes(of.status) && <span className={styles.muted}>{labels.takes}</span>}
      </div>
      {isStopped(of.status) && <WhyStopped of={of} />}
      <ol className={styles.steps} aria-label={labels.label}>
        {labels.steps.map((step, at) => (
          <li
            key={step}
            className={`${styles.step} ${at === now ? styles.stepNow : ''}`}
            aria-current={at === now ? 'step' : undefined}
          >
            {at < now ? <Icon name="check" /> : <span className={styles.stepNumber}>{at + 1}</span>}
            <span>
              {step}
              {at <= now && <span className="visually-hidden">{` (${at < now ? labels.done : labels.now})`}</span>}
            </span>
          </li>
        ))}
      </ol>
      <FormFault error={submit.error ?? withdraw.error} />
      {mayManage && isEditable(of.status) && (
        <div className={styles.line}>
          {isWhole ? (
            <Button
              look="primary"
              isPending={submit.isPending}
              onPress={async () => {
                const version = await settled();
                if (version !== null) submit.mutate({ version });
              }}
            >
              {labels.submit}
            </Button>
          ) : (
            <>
              <Button onPress={onSeeChecks}>{labels.seeChecks}</Button>
              <span className={styles.muted}>{open === 0 ? labels.goOn : labels.submitOpen(open)}</span>
            </>
          )}
        </div>
      )}
      {undecided.includes(of.status) && (
        <div className={styles.line}>
          {mayManage && (
            <Button isPending={withdraw.isPending} onPress={() => withdraw.mutate({})}>
              {labels.withdraw}
            </Button>
          )}
          <span className={styles.muted}>{labels.waiting}</span>
        </div>
      )}
      <p className={styles.muted}>{labels.byHand}</p>
    </Panel>
  );
}

/** Why its numbers can no longer send, since when, and what comes next. */
function WhyStopped({ of }: { of: Campaign }) {
  const operator = useMay('operator');
  const { title, why, none, since, next } = campaignLabels.stopped;
  const turn = lastTurn(of);
  const sentences = [...(turn?.reasons.map(({ sentence }) => sentence) ?? []), turn?.note ?? ''].filter(
    (one) => one !== '',
  );
  return (
    <Notice tone="warn" title={title(of.status)}>
      <p>
        <strong>{why}</strong> {sentences.length === 0 ? none : sentences.join(' ')}
      </p>
      {turn !== undefined && (
        <p>
          {since} <Time at={turn.at} />
        </p>
      )}
      <p>{operator ? next.operator : next.others}</p>
    </Notice>
  );
}

/** The reasons of the last outcome, while they can be corrected. */
export function WhatHasToChange({ of, onGoTo }: { of: Campaign; onGoTo(field: string): void }) {
  const last = of.history.findLast(({ what }) => what === 'outcome');
  if (of.status !== 'changes_needed' || last === undefined) return null;
  const { title, goTo, note, others } = campaignLabels.changes;
  return (
    <Notice tone="warn" title={title}>
      <ol className={styles.list}>
        {last.reasons.map(({ field, sentence }, at) => (
          <li key={`${field} ${sentence}`} className={styles.item}>
            <span>{at + 1}</span>
            <span className={styles.sentence}>
              {field !== '' && <strong>{fieldName(field)} </strong>}
              {sentence}
              {fixOf(field) !== undefined && (
                <span className={styles.fixed}>
                  {others} {fixOf(field)}
                </span>
              )}
            </span>
            {field !== '' && (
              <Button icon="right" aria-label={`${goTo} ${fieldName(field)}`} onPress={() => onGoTo(field)}>
                {goTo}
              </Button>
            )}
          </li>
        ))}
      </ol>
      <p className={styles.muted}>
        {note}: {last.note} · <Time at={last.at} />
      </p>
    </Notice>
  );
}

function fixOf(field: string): string | undefined {
  return campaignLabels.changes.fixes[field.split('.')[0]!];
}

export function fieldName(field: string): string {
  const [name = '', index] = field.split('.');
  if (name === 'samples' && index !== undefined) return campaignLabels.sample(Number(index) + 1);
  return campaignLabels.fields[name] ?? field;
}
