/** Entries of the audit log as a table: who, what, when, and on demand before and after. */
import { useState } from 'react';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { type Column, Table } from '../../ui/Table';
import { Copyable, momentText, Time } from '../../ui/Values';
import type { Person } from '../settings/people';
import styles from './Audit.module.css';
import { differences, fieldText, momentOf, readable } from './diff';
import type { Entry } from './log';

const brandLabels = labelsOf('brand');
const labels = labelsOf('audit');

const fieldLabels = { ...labels.fields, ...brandLabels.fields, entityType: brandLabels.entityType };
const valueLabels = { ...labels.values, ...brandLabels.entityTypes };

/** The plain words for the action. */
function doneText(what: string): string {
  return labels.done[what] ?? readable(what, labels.areas);
}

/** Shows people's names for their ids, words for yes and no, and times as everywhere. */
function valueText({ field, value }: { field: string; value: string }, people: readonly Person[]): string {
  if (value === 'true') return labels.yes;
  if (value === 'false') return labels.no;
  const moment = momentOf(field, value);
  if (moment !== null) return momentText(moment);
  const word = valueLabels[value];
  if (word !== undefined) return word;
  return people.find(({ userId }) => userId === value)?.name ?? value;
}

function Who({ entry: { userId, who }, people }: { entry: Entry; people: readonly Person[] }) {
  const name = people.find((one) => one.userId === userId)?.name;
  if (name === undefined) return who;
  return (
    <span className={styles.who}>
      {name}
      <span className={styles.muted}>{who}</span>
    </span>
  );
}

function Target({ target, people }: { target: string; people: readonly Person[] }) {
  const name = people.find(({ userId }) => userId === target)?.name;
  return name === undefined ? <code>{target}</code> : <span title={target}>{name}</span>;
}

export function Entries({
  entries,
  people,
  ofOne,
}: {
  entries: readonly Entry[];
  people: readonly Person[];
  /** All belong to the page's record, so it is not named. */
  ofOne?: boolean;
}) {
  const [open, setOpen] = useState<ReadonlySet<number>>(new Set());
  function toggle(position: number): void {
    const next = new Set(open);
    if (!next.delete(position)) next.add(position);
    setOpen(next);
  }
  const columns: Column<Entry>[] = [
    { id: 'when', title: labels.when, cell: ({ at }) => <Time at={at} /> },
    { id: 'who', title: labels.who, cell: (entry) => <Who entry={entry} people={people} /> },
    { id: 'what', title: labels.what, cell: ({ what }) => <span title={labels.codeOf(what)}>{doneText(what)}</span> },
    { id: 'target', title: labels.target, cell: ({ target }) => <Target target={target} people={people} /> },
    { id: 'from', title: labels.from, cell: ({ ip }) => (ip === null ? labels.nothing : <code>{ip}</code>) },
    {
      id: 'changes',
      title: labels.changes,
      cell: (entry) => {
        if (!hasMore(entry)) return labels.nothing;
        const isOpen = open.has(entry.position);
        return (
          <Button
            look="quiet"
            aria-expanded={isOpen}
            aria-label={isOpen ? undefined : labels.showOf(doneText(entry.what), momentText(entry.at))}
            onPress={() => toggle(entry.position)}
          >
            {isOpen ? labels.hide : labels.show}
          </Button>
        );
      },
    },
  ];
  return (
    <Table
      caption={labels.caption}
      rows={entries}
      keyOf={({ position }) => String(position)}
      columns={ofOne === true ? columns.filter(({ id }) => id !== 'target') : columns}
      beneath={(entry) => (open.has(entry.position) ? <Changes entry={entry} people={people} /> : null)}
    />
  );
}

/** Whether an entry has more than its row shows. */
function hasMore(entry: Entry): boolean {
  return entry.requestId !== null || differences(entry.before, entry.after).length > 0;
}

function Changes({ entry, people }: { entry: Entry; people: readonly Person[] }) {
  const changes = differences(entry.before, entry.after);
  return (
    <dl className={styles.diff}>
      {changes.map(({ field, before, after }) => (
        <div key={field}>
          <dt title={field}>{fieldText(field, fieldLabels)}</dt>
          <dd>
            {before !== null && (
              <del>
                <span className="visually-hidden">{labels.before} </span>
                {valueText({ field, value: before }, people)}
              </del>
            )}
            {after !== null && (
              <ins>
                <span className="visually-hidden">{labels.after} </span>
                {valueText({ field, value: after }, people)}
              </ins>
            )}
          </dd>
        </div>
      ))}
      {entry.requestId !== null && (
        <div>
          <dt>{labels.request}</dt>
          <dd>
            <Copyable value={entry.requestId} what={labels.copyRequest} />
          </dd>
        </div>
      )}
    </dl>
  );
}
