/**
 * Another person saved first: both versions are shown side by side, and the person decides. Nothing is saved
 * automatically.
 */
import type { ReactNode } from 'react';
import { ApiError } from '../api/client';
import { labelsOf } from '../language/labels';
import { Button } from './Button';
import { Focused, Notice } from './States';
import { Table } from './Table';

const labels = labelsOf('conflict');

export interface TwoVersions {
  field: string;
  theirs: ReactNode;
  mine: ReactNode;
}

export function Conflict({
  rows,
  onTheirs,
  onMine,
}: {
  rows: readonly TwoVersions[];
  onTheirs(): void;
  onMine(): void;
}) {
  const { columns, empty } = labels;
  return (
    <SavedFirst labels={labels} onTheirs={onTheirs} onMine={onMine}>
      {rows.length === 0 ? (
        <p>{labels.same}</p>
      ) : (
        <Table
          caption={labels.title}
          rows={rows}
          keyOf={({ field }) => field}
          columns={[
            { id: 'field', title: columns.field, cell: ({ field }) => field },
            { id: 'theirs', title: columns.theirs, cell: ({ theirs }) => theirs || empty },
            { id: 'mine', title: columns.mine, cell: ({ mine }) => mine || empty },
          ]}
        />
      )}
    </SavedFirst>
  );
}

/** The notice about it, for pages that show the current record in their own way. */
export function SavedFirst({
  labels: { title, detail, theirs, mine },
  onTheirs,
  onMine,
  children,
}: {
  labels: { title: string; detail: string; theirs: string; mine: string };
  onTheirs(): void;
  onMine(): void;
  children: ReactNode;
}) {
  return (
    <Focused>
      <Notice
        tone="warn"
        title={title}
        actions={
          <>
            <Button onPress={onTheirs}>{theirs}</Button>
            <Button onPress={onMine}>{mine}</Button>
          </>
        }
      >
        <p>{detail}</p>
        {children}
      </Notice>
    </Focused>
  );
}

/** The current record, when a save found another person's change. */
export function currentOf<T>(error: unknown): T | null {
  if (!(error instanceof ApiError) || error.status !== 409 || error.reason !== 'CONFLICT') return null;
  const { current } = (error.data ?? {}) as { current?: T };
  return current ?? null;
}
