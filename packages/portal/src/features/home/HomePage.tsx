/** Home: progress to the first conversation; after that, what needs attention first. Updates by itself. */

import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { api } from '../../api/client';
import { useMay, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { LinkButton } from '../../ui/Button';
import { Page, Panel } from '../../ui/Page';
import { Notice, Shown } from '../../ui/States';
import { type Column, Table } from '../../ui/Table';
import { Count, ReasonLink, Time } from '../../ui/Values';
import { useCompany } from '../settings/company';
import { dayText } from '../settings/quiet';
import { Attention } from './Attention';
import { BreakIt, canBreak } from './BreakIt';
import { Checklist, PastSteps } from './Checklist';
import { DemoNotice } from './DemoNotice';
import styles from './Home.module.css';
import { type Home, hadConversation } from './home-data';
import { LastHour } from './LastHour';
import { OwnCode, RealCarrier } from './Next';

const quietWords = labelsOf('quiet');
const frameWords = labelsOf('frame');
const words = labelsOf('home');
const failureWords = words.failures;

type Failure = Home['failures'][number];

const columns: readonly Column<Failure>[] = [
  { id: 'reason', title: failureWords.reason, cell: ({ code }) => <ReasonLink code={code} /> },
  { id: 'count', title: failureWords.count, figures: true, cell: ({ count }) => <Count value={count} /> },
  { id: 'last', title: failureWords.last, cell: ({ last }) => <Time at={last} form="relative" /> },
  {
    id: 'find',
    title: '',
    cell: ({ code }) => (
      <Link to="/messages" search={{ q: `reason:${code}` } as never}>
        {failureWords.find}
      </Link>
    ),
  },
];

/** Failed texts of a day, by their reason. */
function Failures({ list }: { list: readonly Failure[] }) {
  return (
    <Panel title={failureWords.title}>
      {list.length === 0 ? (
        <p className={styles.muted}>{failureWords.none}</p>
      ) : (
        <Table caption={failureWords.title} columns={columns} rows={list} keyOf={({ code }) => code} />
      )}
    </Panel>
  );
}

/** Time passes without events. */
const refreshMs = 60_000;

export function HomePage() {
  const maySend = useMay('send');
  const home = useQuery({
    queryKey: ['home'],
    queryFn: async () => (await api.get('/home')).data,
    refetchInterval: refreshMs,
  });
  return (
    <Page
      title={words.title}
      actions={
        maySend && (
          <LinkButton to="/messages/new" look="primary">
            {frameWords.newMessage}
          </LinkButton>
        )
      }
    >
      <Shown of={home} rows={8}>
        {(data) => <Blocks data={data} />}
      </Shown>
    </Page>
  );
}

function Blocks({ data }: { data: Home }) {
  const { demo } = data;
  // Generated traffic ticks no step; the steps come back once it is removed.
  const isDone = demo !== null || hadConversation(data);
  return (
    <>
      <QuietNow />
      {demo !== null && <DemoNotice messages={demo.messages} />}
      {!isDone && <Checklist home={data} />}
      {isDone && <Attention list={data.attention} />}
      <LastHour {...data.last60} />
      {!isDone && <Attention list={data.attention} />}
      {(isDone || data.failures.length > 0) && <Failures list={data.failures} />}
      {isDone && <WhatNext first={data.first} />}
      {isDone && demo === null && <PastSteps home={data} />}
    </>
  );
}

/** Why messages sent now do not arrive. */
function QuietNow() {
  const { data: company } = useCompany();
  const quiet = company?.quietHours ?? null;
  if (quiet === null || !quiet.now) return null;
  const until = dayText(quiet.ends, quiet.timeZone, Date.now());
  return (
    <Notice
      tone="info"
      title={quietWords.home(`${until} (${quiet.timeZone})`)}
      actions={<LinkButton to="/settings/company">{quietWords.homeLink}</LinkButton>}
    />
  );
}

/** Minutes four and five of a newcomer: failures, one's own program, and going live. */
function WhatNext({ first }: Pick<Home, 'first'>) {
  const { sandbox, environment } = useMe();
  const maySend = useMay('send');
  if (!sandbox || environment !== 'sandbox') return null;
  return (
    <>
      {maySend && canBreak(first) && <BreakIt first={first} />}
      <OwnCode />
      <RealCarrier />
    </>
  );
}
