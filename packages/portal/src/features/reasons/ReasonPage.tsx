/** One code: what it means, how it comes about, what to do; in each of the places where it can stand. */
import { Link, useParams } from '@tanstack/react-router';
import { labelsOf } from '../../language/labels';
import { LinkButton } from '../../ui/Button';
import { Facts, Page, Panel } from '../../ui/Page';
import { Empty, Shown } from '../../ui/States';
import { Copyable } from '../../ui/Values';
import styles from './Reasons.module.css';
import { type Reason, useReasons } from './reasons';

const words = labelsOf('reason');
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
