/** The five pages of a campaign and its checks. Saved while typing; each page can be opened at any time. */
import { type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Panel } from '../../ui/Page';
import { Focused, FormFault, Notice } from '../../ui/States';
import { Table } from '../../ui/Table';
import { Tabs } from '../../ui/Tabs';
import { useUrlText } from '../../ui/url';
import styles from './Campaigns.module.css';
import { Checks, goInto, goToField } from './Checks';
import { type Campaign, checksId, differences, stepOf } from './campaigns';
import type { Draft } from './draft';
import { DescriptionPage, LinksPage, SamplesPage, TextsPage, UseCasePage } from './WizardPages';

const campaignLabels = labelsOf('campaign');

const labels = campaignLabels.wizard;

/** The open page is part of the address; `goTo` opens the page of a field and focuses the field. */
export function useWizardPage() {
  const [page, setPage] = useUrlText('page');
  const [at, setAt] = useUrlText('at');
  const goTo = (field: string) => setAt(field, { page: String(stepOf(field)) });
  const now = page === '' ? '0' : page;
  const [seen, setSeen] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const note = () => setSeen((before) => (before.has(now) ? before : new Set([...before, now])));
    // A page being filled in shows no faults yet; the list of rules shows them once it is opened.
    if (now !== checksId) return note;
    note();
    return undefined;
  }, [now]);
  return { page: now, open: (id: string) => setPage(id, { at: '' }), at, goTo, seen };
}

export type WizardState = ReturnType<typeof useWizardPage>;

export function Wizard({ of, draft, wizard }: { of: Campaign; draft: Draft; wizard: WizardState }) {
  const { page, open, at } = wizard;
  useEffect(() => {
    if (at === '') return;
    goToField(at);
  }, [at]);
  const turned = useRef(false);
  const turn = (id: string) => {
    turned.current = true;
    open(id);
  };
  const pages = [UseCasePage, DescriptionPage, TextsPage, SamplesPage, LinksPage];
  return (
    <Panel title={labels.label} actions={<SaveState of={draft} />}>
      {draft.theirs !== null ? (
        <Focused>
          <Conflict draft={draft} />
        </Focused>
      ) : (
        <FormFault error={draft.error} />
      )}
      <Tabs
        label={labels.label}
        selected={page}
        onSelect={open}
        tabs={[
          ...pages.map((Fields, step) => ({
            id: String(step),
            title: `${step + 1} ${labels.steps[step]}`,
            content: (
              <Turned to={turned}>
                <Fields of={of} draft={draft} />
                <Turn step={step} last={pages.length} open={turn} />
              </Turned>
            ),
          })),
          {
            id: checksId,
            title: labels.checks,
            content: (
              <Turned to={turned}>
                <Checks checks={of.checks} onGoTo={wizard.goTo} />
              </Turned>
            ),
          },
        ]}
      />
    </Panel>
  );
}

/** One page of the wizard. When a person turned to it (`to`), the focus follows, because the focused button is gone. */
function Turned({ to, children }: { to: RefObject<boolean>; children: ReactNode }) {
  const page = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (to.current) goInto(page.current);
    to.current = false;
  }, [to]);
  return (
    <div ref={page} tabIndex={-1} className={styles.fields}>
      {children}
    </div>
  );
}

function Turn({ step, last, open }: { step: number; last: number; open(id: string): void }) {
  const next = step + 1 === last ? checksId : String(step + 1);
  return (
    <div className={styles.line}>
      {step > 0 && <Button onPress={() => open(String(step - 1))}>{labels.back}</Button>}
      <Button look="primary" onPress={() => open(next)}>
        {labels.next}
      </Button>
    </div>
  );
}

function SaveState({ of: { state } }: { of: Draft }) {
  const stateLabels = { saved: labels.saved, unsaved: labels.unsaved, saving: labels.saving, failed: labels.failed };
  return (
    <span role="status" className={styles.muted}>
      {stateLabels[state]}
    </span>
  );
}

function Conflict({ draft }: { draft: Draft }) {
  const { theirs, form, takeTheirs, saveMine } = draft;
  if (theirs === null) return null;
  const { title, detail, columns } = labels.conflict;
  return (
    <Notice
      tone="warn"
      title={title}
      actions={
        <>
          <Button onPress={takeTheirs}>{labels.conflict.theirs}</Button>
          <Button onPress={saveMine}>{labels.conflict.mine}</Button>
        </>
      }
    >
      <p>{detail}</p>
      <Table
        caption={title}
        rows={differences(theirs.form, form)}
        keyOf={({ field }) => field}
        columns={[
          { id: 'field', title: columns.field, cell: ({ field }) => campaignLabels.fields[field] },
          { id: 'theirs', title: columns.theirs, cell: ({ left }) => <span className={styles.text}>{left}</span> },
          { id: 'mine', title: columns.mine, cell: ({ right }) => <span className={styles.text}>{right}</span> },
        ]}
      />
    </Notice>
  );
}
