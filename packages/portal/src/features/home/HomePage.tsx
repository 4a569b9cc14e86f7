/**
 * The start page: progress to the first conversation until that is done, what needs attention, figures. Updates by
 * itself.
 */

import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { useMay, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { LinkButton } from '../../ui/Button';
import { Page } from '../../ui/Page';
import { Notice, Shown } from '../../ui/States';
import { useCompany } from '../settings/company';
import { dayText } from '../settings/quiet';
import { Attention } from './Attention';
import { DemoNotice } from './DemoNotice';
import styles from './Home.module.css';
import { type Home, hadConversation, hadTraffic, homeQuery } from './home-data';

const quietLabels = labelsOf('quiet');
const frameLabels = labelsOf('frame');
const labels = labelsOf('home');

/** Only a newcomer needs the steps, and has nothing to count before the first text. */
const loadSteps = () => import('./Checklist');
const Checklist = lazy(() => loadSteps().then((module) => ({ default: module.Checklist })));
const JustDone = lazy(() => loadSteps().then((module) => ({ default: module.JustDone })));
const Figures = lazy(() => import('./Figures').then((module) => ({ default: module.Figures })));

/** Time passes without events. */
const refreshMs = 60_000;

export function HomePage() {
  const maySend = useMay('send');
  const home = useQuery({ ...homeQuery, refetchInterval: refreshMs });
  return (
    <Page
      title={labels.title}
      actions={
        maySend && (
          <LinkButton to="/messages/new" look="primary">
            {frameLabels.newMessage}
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
  const [sawSteps] = useState(!isDone);
  // Where it stood at first: a panel that changed its place with each item would move the steps under the reader.
  const [isFirst] = useState(data.attention.length > 0);
  const attention = <Attention list={data.attention} carriers={data.carriers} />;
  return (
    <>
      <QuietNow />
      {demo !== null && <DemoNotice messages={demo.messages} />}
      {isFirst && attention}
      {!isDone && (
        <Suspense fallback={<div className={styles.stepsRoom} aria-busy="true" />}>
          <Checklist home={data} />
        </Suspense>
      )}
      {isDone && demo === null && sawSteps && (
        <Suspense>
          <JustDone home={data} />
        </Suspense>
      )}
      {!isFirst && attention}
      {(demo !== null || hadTraffic(data)) && (
        <Suspense fallback={<div className={styles.figuresRoom} aria-busy="true" />}>
          <Figures />
        </Suspense>
      )}
      {isDone && <WhatNext />}
    </>
  );
}

/** Why messages sent now wait. */
function QuietNow() {
  const { data: company } = useCompany();
  const quiet = company?.quietHours ?? null;
  if (quiet === null || !quiet.now) return null;
  const until = dayText(quiet.ends, quiet.timeZone, Date.now());
  return (
    <Notice
      tone="info"
      title={quietLabels.home(`${until} (${quiet.timeZone})`)}
      actions={<LinkButton to="/settings/company">{quietLabels.homeLink}</LinkButton>}
    />
  );
}

/** More to try in the sandbox. */
function WhatNext() {
  const { sandbox, environment } = useMe();
  const mayRead = useMay('readBody');
  if (!sandbox || environment !== 'sandbox' || !mayRead) return null;
  return (
    <p className={styles.past}>
      {labels.next}
      <LinkButton look="quiet" to="/handsets" icon="handset">
        {labels.tryOut}
      </LinkButton>
    </p>
  );
}
