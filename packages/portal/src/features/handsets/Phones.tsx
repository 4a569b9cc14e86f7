/** The phones: the permanent ones and those that received a message, with the unread count of each. */
import { useQueries, useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { memo, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useOwnNumbers } from '../../api/own-numbers';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { Icon } from '../../ui/icons';
import { Form } from '../../ui/Page';
import { Shown } from '../../ui/States';
import { Phone } from '../../ui/Values';
import styles from './Handsets.module.css';
import { type Handset, inShownOrder, isHandset } from './handsets';
import { behaviourQuery, handsetsQuery } from './queries';
import { readSeen, unseen } from './seen';

const labels = labelsOf('handset');

/** Phones whose state is fetched; those further down show only their unread count. */
const statesMax = 12;

export const Phones = memo(({ number }: { number: string | null }) => {
  const list = useQuery(handsetsQuery);
  const own = useOwnNumbers();
  const telephones = (handsets: readonly Handset[]) => handsets.filter((one) => !own.includes(one.number));
  return (
    <>
      <Shown of={list} leads>
        {(handsets) => <PhoneList handsets={withChosen(telephones(handsets), number)} number={number} />}
      </Shown>
      <AddPhone />
    </>
  );
});

function withChosen(handsets: readonly Handset[], number: string | null): readonly Handset[] {
  if (number === null || handsets.some((one) => one.number === number)) return handsets;
  return [{ number, messages: 0, lastReceivedAt: null }, ...handsets];
}

function PhoneList({ handsets: newestFirst, number }: { handsets: readonly Handset[]; number: string | null }) {
  const shown = useRef<readonly string[]>([]);
  const handsets = inShownOrder(shown.current, newestFirst);
  useEffect(() => {
    shown.current = handsets.map((one) => one.number);
  });
  const states = useQueries({ queries: handsets.slice(0, statesMax).map((one) => behaviourQuery(one.number)) });
  const list = useRef<HTMLUListElement>(null);
  const at = handsets.findIndex((one) => one.number === number);
  useLayoutEffect(() => {
    const box = list.current;
    if (box === null) return;
    const keep = () => keepInside(box, at);
    keep();
    // Content that appears below leaves less room.
    const sizes = new ResizeObserver(keep);
    sizes.observe(box);
    return () => sizes.disconnect();
  }, [at]);
  const seen = readSeen();
  return (
    <ul ref={list} className={styles.phones}>
      {handsets.map((handset, index) => {
        const isOpen = handset.number === number;
        const fresh = isOpen ? 0 : unseen(handset.number, handset.messages, seen);
        const behaviour = states[index]?.data;
        const state = behaviour?.power === 'off' ? labels.off : behaviour?.inbox === 'full' ? labels.full : null;
        return <PhoneRow key={handset.number} number={handset.number} isOpen={isOpen} state={state} fresh={fresh} />;
      })}
    </ul>
  );
}

interface PhoneRowProps {
  number: string;
  isOpen: boolean;
  state: string | null;
  fresh: number;
}

/** Rendered again only when something in it changes: every text refetches the list. */
const PhoneRow = memo(({ number, isOpen, state, fresh }: PhoneRowProps) => (
  <li data-row>
    <Link to="/handsets/$number" params={{ number }} aria-current={isOpen ? 'page' : undefined}>
      <Icon name="handset" />
      <Phone digits={number} />
      {state !== null && <span className={styles.state}>{state}</span>}
      {fresh > 0 && <span className={styles.fresh}>{labels.fresh(fresh)}</span>}
    </Link>
  </li>
));

/** Scrolls the list, never the page, so that its row `at` is visible. */
function keepInside(list: HTMLElement, at: number): void {
  const row = list.children[at];
  if (row === undefined) return;
  const box = list.getBoundingClientRect();
  const { top, bottom } = row.getBoundingClientRect();
  list.scrollTop += Math.min(0, top - box.top) + Math.max(0, bottom - box.bottom);
}

function AddPhone() {
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  const [fault, setFault] = useState<string | undefined>();
  const open = () => {
    const number = typed.replaceAll(/[\s()+.-]/g, '');
    if (!isHandset(number)) return setFault(labels.badNumber);
    setFault(undefined);
    setTyped('');
    void navigate({ to: '/handsets/$number', params: { number } });
  };
  return (
    <details className={styles.add}>
      <summary>{labels.add}</summary>
      <Form label={labels.add} onSubmit={open}>
        <TextField
          label={labels.addLabel}
          help={labels.addHelp}
          inputMode="tel"
          value={typed}
          onChange={setTyped}
          mono
          {...(fault !== undefined && { fault })}
        />
        <Button type="submit">{labels.addOpen}</Button>
      </Form>
    </details>
  );
}
