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

const usageLabels = labelsOf('usage');
const labels = usageLabels.statement;

export function StatementPage() {
  const [param] = useUrlText('month');
  // The router writes text that looks like a number as JSON.
  const month = param.replaceAll('"', '');
  const isMonth = /^20\d\d-(0[1-9]|1[0-2])$/.test(month);
  const { environment } = useMe();
  const statement = useQuery({
    queryKey: ['usage', environment, 'statement', month],
    enabled: isMonth,
    queryFn: async () => (await api.get('/usage/statement-lines', { query: { month } })).data,
  });
  return (
    <Page
      title={isMonth ? labels.titleOf(monthText(month)) : labels.title}
      crumbs={[{ label: usageLabels.title, to: '/usage' }]}
      actions={
        isMonth && (
          <Button look="primary" onPress={() => window.print()}>
            {labels.print}
          </Button>
        )
      }
    >
      {isMonth ? (
        <Panel>
          <Shown of={statement}>{(data) => <Sheet statement={data} />}</Shown>
        </Panel>
      ) : (
        <Notice tone="info" title={labels.wrong} />
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
          [labels.company, account.name],
          [labels.period, labels.days(daysText({ from, to }))],
          [labels.environment, labels.environments[environment]],
        ]}
      />
      {lines.length === 0 ? (
        <p>{labels.nothing}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        <section className={styles.scroll} tabIndex={0} aria-label={labels.caption}>
          <table>
            <caption className="visually-hidden">{labels.caption}</caption>
            <thead>
              <tr>
                <th scope="col">{labels.period}</th>
                <th scope="col">{usageLabels.by.number}</th>
                <th scope="col">{usageLabels.by.campaign}</th>
                <th scope="col">{usageLabels.by.country}</th>
                <th scope="col">{usageLabels.by.kind}</th>
                <th scope="col">{usageLabels.figures.messages}</th>
                <th scope="col">{labels.units}</th>
                {isPriced && <th scope="col">{labels.price}</th>}
                {isPriced && <th scope="col">{`${usageLabels.figures.cost} (${currency})`}</th>}
              </tr>
            </thead>
            <tbody>
              {lines.map((line) => (
                <tr key={`${line.from} ${line.number} ${line.campaign} ${line.country} ${line.kind}`}>
                  <td>{`${line.from.slice(5)} – ${line.to.slice(5)}`}</td>
                  <td>
                    <Phone digits={line.number} />
                  </td>
                  <td>{line.campaign === '' ? usageLabels.none.campaign : line.campaign}</td>
                  <td>{line.country === '' ? usageLabels.none.country : countryName(line.country)}</td>
                  <td>{line.kind}</td>
                  <td>{numberText(line.messages)}</td>
                  <td>{numberText(line.units)}</td>
                  {isPriced && <td>{line.price === null ? '—' : `${line.price} ${labels.unit[line.unit]}`}</td>}
                  {isPriced && <td>{line.cost ?? '—'}</td>}
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row" colSpan={5}>
                  {labels.total}
                </th>
                <td>{numberText(messages)}</td>
                <td colSpan={isPriced ? 2 : 1}>
                  {labels.segments(unitsOf('SMS'))}, {labels.mms(unitsOf('MMS'))}
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
