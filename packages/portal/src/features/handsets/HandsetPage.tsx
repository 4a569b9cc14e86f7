/** One handset: its messages, its behaviour, and its traffic on the wire. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { useOwnNumbers } from '../../api/own-numbers';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { LinkButton } from '../../ui/Button';
import { useNarrow } from '../../ui/narrow';
import { Panel } from '../../ui/Page';
import { Empty } from '../../ui/States';
import { Tabs } from '../../ui/Tabs';
import { Phone, phoneText } from '../../ui/Values';
import { homeQuery } from '../home/home-data';
import { BehaviourPanel } from './BehaviourPanel';
import { BreakIt } from './BreakIt';
import { HandsetFrame } from './HandsetFrame';
import styles from './Handsets.module.css';
import { type HandsetMessage, isHandset } from './handsets';
import { OwnCode, RealCarrier } from './Next';
import { Phones } from './Phones';
import { carrierQuery, talkQuery } from './queries';
import { markSeen, unseen } from './seen';
import { TalkPanel } from './TalkPanel';
import { WirePanel } from './WirePanel';

const labels = labelsOf('handset');

export function HandsetsPage() {
  return (
    <HandsetFrame number={null}>
      <div className={styles.games}>
        <Empty title={labels.pick}>{labels.pickDetail}</Empty>
        <Games />
      </div>
    </HandsetFrame>
  );
}

/** Further things to try: failures (with a number and a handset), one's own program, a real carrier. */
function Games() {
  const maySend = useMay('send');
  const first = useQuery(homeQuery).data?.first ?? null;
  return (
    <>
      {maySend && first !== null && first.to !== null && <BreakIt first={{ from: first.from, to: first.to }} />}
      <OwnCode />
      <RealCarrier />
    </>
  );
}

export function HandsetPage() {
  const { number } = useParams({ from: '/inside/handsets/$number' });
  const own = useOwnNumbers();
  if (!isHandset(number)) return <NoSuchHandset number={number} />;
  return own.includes(number) ? <OwnNumber number={number} /> : <Room key={number} number={number} />;
}

/** It is one of the gateway's sending numbers, so there is no handset. */
function OwnNumber({ number }: { number: string }) {
  const title = labels.own.title(phoneText(number));
  return (
    <HandsetFrame number={null} tabTitle={title}>
      <Empty
        title={title}
        action={
          <LinkButton to="/numbers/$number" params={{ number }}>
            {labels.own.open}
          </LinkButton>
        }
      >
        {labels.own.detail}
      </Empty>
    </HandsetFrame>
  );
}

/** No request for a number that cannot be a telephone. */
function NoSuchHandset({ number }: { number: string }) {
  return (
    <HandsetFrame number={null} tabTitle={labels.noSuch.title}>
      <Empty title={labels.noSuch.title} action={<LinkButton to="/handsets">{labels.noSuch.all}</LinkButton>}>
        {labels.noSuch.detail(number)}
      </Empty>
    </HandsetFrame>
  );
}

function Room({ number }: { number: string }) {
  const client = useQueryClient();
  const talk = useQuery(talkQuery(client, number));
  const received = talk.data?.received ?? [];
  const fresh = useFresh(number, received);
  const narrow = useNarrow();
  const may = useMay('send');
  const phones = (
    <>
      <Phones number={number} />
      {may && <BehaviourPanel number={number} />}
    </>
  );
  const chat = <TalkPanel number={number} talk={talk} />;
  const numbered = (
    <>
      <h2>
        <Phone digits={number} />
      </h2>
      {chat}
    </>
  );
  const wire = <WirePanel number={number} />;
  const address = useQuery(carrierQuery).data?.address;
  return (
    <HandsetFrame number={number} tabTitle={fresh > 0 ? `(${fresh}) ${number}` : number}>
      <p role="status" className="visually-hidden">
        {fresh > 0 ? labels.arrived(phoneText(received.at(-1)?.from ?? '')) : ''}
      </p>
      {narrow ? (
        <Tabs
          label={labels.views}
          tabs={[
            { id: 'chat', title: labels.chat, content: numbered },
            { id: 'phones', title: labels.phones, content: phones },
            { id: 'wire', title: labels.wire, content: wire },
          ]}
        />
      ) : (
        <div className={styles.three}>
          <Panel title={labels.phones}>
            <div className={styles.side}>{phones}</div>
          </Panel>
          <Panel title={<Phone digits={number} />}>{chat}</Panel>
          <Panel title={address === undefined ? labels.wire : labels.wireAt(address)}>{wire}</Panel>
        </div>
      )}
    </HandsetFrame>
  );
}

/** How many messages came since the person's last action here. */
function useFresh(number: string, received: readonly HandsetMessage[]): number {
  const count = received.length;
  const [, setLooks] = useState(0);
  const newest = useRef(count);
  newest.current = count;
  const fresh = Math.max(0, unseen(number, count));
  useEffect(() => {
    const looked = () => {
      markSeen(number, newest.current);
      setLooks((looks) => looks + 1);
    };
    const events = ['pointerdown', 'keydown', 'focusin'] as const;
    for (const event of events) addEventListener(event, looked);
    return () => {
      for (const event of events) removeEventListener(event, looked);
    };
  }, [number]);
  return fresh;
}
