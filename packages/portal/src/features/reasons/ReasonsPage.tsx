/** Every code the gateway can answer with. */
import { useState } from 'react';
import { labelsOf } from '../../language/labels';
import { TextField } from '../../ui/Field';
import { Page } from '../../ui/Page';
import { Shown } from '../../ui/States';
import { type Column, Table } from '../../ui/Table';
import { ReasonLink } from '../../ui/Values';
import { found, type Reason, useReasons } from './reasons';

const words = labelsOf('reason');

const columns: readonly Column<Reason>[] = [
  { id: 'code', title: words.code, cell: ({ code }) => <ReasonLink code={code} /> },
  { id: 'what', title: words.meaning, cell: ({ title }) => title },
  { id: 'where', title: words.where, cell: ({ scope }) => words.scopes[scope] },
  { id: 'billed', title: words.billed, cell: ({ billed }) => words.billing[billed] },
  { id: 'retry', title: words.retry, cell: ({ retryable }) => (retryable ? words.retries.yes : words.retries.no) },
];

export function ReasonsPage() {
  const [text, setText] = useState('');
  const reasons = useReasons();
  return (
    <Page title={words.title}>
      <p>{words.what}</p>
      <TextField label={words.search} value={text} onChange={setText} type="search" />
      <Shown of={reasons} rows={8}>
        {(list) => (
          <Table
            caption={words.caption}
            columns={columns}
            rows={found(list, text)}
            keyOf={({ code, scope }) => `${scope} ${code}`}
            compact
          />
        )}
      </Shown>
    </Page>
  );
}
