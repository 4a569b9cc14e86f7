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
      crumbs={[{ label: words.title, to: '/reasons' }, { label: code }]}
    >
      <Shown of={reasons}>
        {(list) => {
          const found = list.filter((one) => one.code === code);
          if (found.length === 0) {
            return (
              <Empty title={words.unknown} action={<LinkButton to="/reasons">{words.all}</LinkButton>}>
                {words.unknownNext}
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
                  {words.messages}
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
      {!issued && <p>{words.notIssued}</p>}
      <Facts
        facts={[
          [words.where, words.scopes[scope]],
          ...(httpStatus === null ? [] : [[words.http, String(httpStatus)] as const]),
          [words.billed, words.billing[billed]],
          [words.retry, retryable ? words.retries.yes : words.retries.no],
        ]}
      />
      <List title={words.cause} sentences={cause} />
      <List title={words.fix} sentences={fix} />
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
