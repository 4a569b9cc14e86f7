/** Every code the gateway can answer with. */

import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { labelsOf } from '../../language/labels';
import { LinkButton } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { Facts, Page, Panel } from '../../ui/Page';
import { Empty, Shown } from '../../ui/States';
import { type Column, Table } from '../../ui/Table';
import { Copyable, ReasonLink } from '../../ui/Values';
import styles from './Reasons.module.css';
import { found, type Reason, useReasons } from './reasons';

const labels = labelsOf('reason');

const columns: readonly Column<Reason>[] = [
  { id: 'code', title: labels.code, cell: ({ code }) => <ReasonLink code={code} /> },
  { id: 'what', title: labels.meaning, cell: ({ title }) => title },
  { id: 'where', title: labels.where, cell: ({ scope }) => labels.scopes[scope] },
  { id: 'billed', title: labels.billed, cell: ({ billed }) => labels.billing[billed] },
  { id: 'retry', title: labels.retry, cell: ({ retryable }) => (retryable ? labels.retries.yes : labels.retries.no) },
];

export function ReasonsPage() {
  const [text, setText] = useState('');
  const reasons = useReasons();
  return (
    <Page title={labels.title}>
      <p>{labels.what}</p>
      <TextField label={labels.search} value={text} onChange={setText} type="search" />
      <Shown of={reasons} rows={8}>
        {(list) => (
          <Table
            caption={labels.caption}
            columns={columns}
            rows={found(list, text)}
            keyOf={({ code, scope }) => `${scope} ${code}`}
          />
        )}
      </Shown>
    </Page>
  );
}

const copied = labelsOf('copied');

export function ReasonPage() {
  const { code } = useParams({ strict: false }) as { code: string };
  const reasons = useReasons();
  return (
    <Page
      title={<Copyable value={code} what={copied.code} />}
      documentTitle={code}
      crumbs={[{ label: labels.title, to: '/reasons' }, { label: code }]}
    >
      <Shown of={reasons}>
        {(list) => {
          const found = list.filter((one) => one.code === code);
          if (found.length === 0) {
            return (
              <Empty title={labels.unknown} action={<LinkButton to="/reasons">{labels.all}</LinkButton>}>
                {labels.unknownNext}
              </Empty>
            );
          }
          return (
            <>
              {found.map((one) => (
                <Meaning key={one.scope} {...one} />
              ))}
              {found.some(({ scope }) => scope === 'outcome') && (
                <Link to="/messages" search={{ q: `reason:${code}` } as never}>
                  {labels.messages}
                </Link>
              )}
            </>
          );
        }}
      </Shown>
    </Page>
  );
}

function Meaning({ title, scope, cause, fix, httpStatus, billed, retryable, issued }: Reason) {
  return (
    <Panel title={title}>
      {!issued && <p>{labels.notIssued}</p>}
      <Facts
        facts={[
          [labels.where, labels.scopes[scope]],
          ...(httpStatus === null ? [] : [[labels.http, String(httpStatus)] as const]),
          [labels.billed, labels.billing[billed]],
          [labels.retry, retryable ? labels.retries.yes : labels.retries.no],
        ]}
      />
      <List title={labels.cause} sentences={cause} />
      <List title={labels.fix} sentences={fix} />
    </Panel>
  );
}

function List({ title, sentences }: { title: string; sentences: readonly string[] }) {
  return (
    <div>
      <h3>{title}</h3>
      <ul className={styles.list}>
        {sentences.map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}
