/** Somebody else saved first: both versions stand side by side, and the person decides. Nothing is written by itself. */
import type { ReactNode } from 'react';
import { ApiError } from '../api/client';
import { conflictWords as words } from '../words/en/conflict';
import { Button } from './Button';
import { Focused, Notice } from './States';
import { Table } from './Table';

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
  const { columns, empty } = words;
  return (
    <Focused>
      <Notice
        tone="warn"
        title={words.title}
        actions={
          <>
            <Button onPress={onTheirs}>{words.theirs}</Button>
            <Button onPress={onMine}>{words.mine}</Button>
          </>
        }
      >
        <p>{words.detail}</p>
        {rows.length === 0 ? (
          <p>{words.same}</p>
        ) : (
          <Table
            caption={words.title}
            compact
            rows={rows}
            keyOf={({ field }) => field}
            columns={[
              { id: 'field', title: columns.field, cell: ({ field }) => field },
              { id: 'theirs', title: columns.theirs, cell: ({ theirs }) => theirs || empty },
              { id: 'mine', title: columns.mine, cell: ({ mine }) => mine || empty },
            ]}
          />
        )}
      </Notice>
    </Focused>
  );
}

/** The record as it is now, when saving found that somebody else had changed it. */
export function currentOf<T>(error: unknown): T | null {
  if (!(error instanceof ApiError) || error.status !== 409 || error.reason !== 'CONFLICT') return null;
  const { current } = (error.data ?? {}) as { current?: T };
  return current ?? null;
}
