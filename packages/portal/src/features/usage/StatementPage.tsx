/** The statement of a month as a page for printing: company, period, lines, totals. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { Statement } from '../../api/routes/usage';
import { useMe } from '../../api/session';
import { countryName, numberText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Facts, Page, Panel } from '../../ui/Page';
import { Notice, Shown } from '../../ui/States';
import { useUrlText } from '../../ui/url';
import { Phone } from '../../ui/Values';
import { daysText, monthText } from './periods';
import styles from './Statement.module.css';

const usageWords = labelsOf('usage');
const words = usageWords.statement;

export function StatementPage() {
  const [asked] = useUrlText('month');
  // The router writes text that looks like a number as JSON.
  const month = asked.replaceAll('"', '');
  const isMonth = /^20\d\d-(0[1-9]|1[0-2])$/.test(month);
  const { environment } = useMe();
  const statement = useQuery({
    queryKey: ['usage', environment, 'statement', month],
    enabled: isMonth,
    queryFn: async () => (await api.get('/usage/statement-lines', { query: { month } })).data,
  });
  return (
    <Page
      title={isMonth ? words.titleOf(monthText(month)) : words.title}
      crumbs={[{ label: usageWords.title, to: '/usage' }]}
      actions={
        isMonth && (
          <Button look="primary" onPress={() => window.print()}>
            {words.print}
          </Button>
        )
      }
    >
      {isMonth ? (
        <Panel>
          <Shown of={statement}>{(data) => <Sheet statement={data} />}</Shown>
        </Panel>
      ) : (
        <Notice tone="info" title={words.wrong} />
      )}
    </Page>
  );
}

function Sheet({ statement: { from, to, lines, messages, cost, currency } }: { statement: Statement }) {
  const { account, environment } = useMe();
  const unitsOf = (kind: string): number => lines.reduce((sum, line) => sum + (line.kind === kind ? line.units : 0), 0);
  const isPriced = currency !== null;
  return (
    <div className={styles.sheet}>
      <Facts
        facts={[
          [words.company, account.name],
          [words.period, words.days(daysText({ from, to }))],
          [words.environment, words.environments[environment]],
        ]}
      />
      {lines.length === 0 ? (
        <p>{words.nothing}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section className={styles.scroll} tabIndex={0} aria-label={words.caption}>
          <table>
            <caption className="visually-hidden">{words.caption}</caption>
            <thead>
              <tr>
                <th scope="col">{words.period}</th>
                <th scope="col">{usageWords.by.number}</th>
                <th scope="col">{usageWords.by.campaign}</th>
                <th scope="col">{usageWords.by.country}</th>
                <th scope="col">{usageWords.by.kind}</th>
                <th scope="col">{usageWords.figures.messages}</th>
                <th scope="col">{words.units}</th>
                {isPriced && <th scope="col">{words.price}</th>}
                {isPriced && <th scope="col">{`${usageWords.figures.cost} (${currency})`}</th>}
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr key={`${line.from} ${line.number} ${line.campaign} ${line.country} ${line.kind}`}>
                  <td>{`${line.from.slice(5)} – ${line.to.slice(5)}`}</td>
                  <td>
                    <Phone digits={line.number} />
                  </td>
                  <td>{line.campaign === '' ? usageWords.none.campaign : line.campaign}</td>
                  <td>{line.country === '' ? usageWords.none.country : countryName(line.country)}</td>
                  <td>{line.kind}</td>
                  <td>{numberText(line.messages)}</td>
                  <td>{numberText(line.units)}</td>
                  {isPriced && <td>{line.price === null ? '—' : `${line.price} ${words.unit[line.unit]}`}</td>}
                  {isPriced && <td>{line.cost ?? '—'}</td>}
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row" colSpan={5}>
                  {words.total}
                </th>
                <td>{numberText(messages)}</td>
                <td colSpan={isPriced ? 2 : 1}>
                  {words.segments(unitsOf('SMS'))}, {words.mms(unitsOf('MMS'))}
                </td>
                {isPriced && <td>{cost ?? '—'}</td>}
              </tr>
            </tfoot>
          </table>
        </section>
      )}
    </div>
  );
}
