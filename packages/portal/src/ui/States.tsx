/** What a page shows while there is no data yet, no data at all, or an error. Never blank, never an endless spinner. */
import type { UseQueryResult } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useIsAway, useReadTime } from '../api/away';
import { ApiError, isAbsent, isLeft } from '../api/client';
import { labelsOf } from '../language/labels';
import { Button, RepeatedAction } from './Button';
import { TextField } from './Field';
import { useIsShown } from './faults';
import { Icon } from './icons';
import styles from './States.module.css';
import type { Tone } from './Status';
import tones from './Tones.module.css';
import { CopyButton } from './Values';

const answerLabels = labelsOf('answer');
const labels = labelsOf('ui');
const copied = labelsOf('copied');

/**
 * A skeleton, shown only when the wait is noticeable and something is expected. `leads`: the rest of the page waits for
 * this, so that nothing jumps.
 */
export function Loading({ rows = 4, leads = false }: { rows?: number; leads?: boolean }) {
  const [felt, setFelt] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setFelt(true), 200);
    return () => clearTimeout(timer);
  }, []);
  const isAway = useIsAway();
  const box = useRef<HTMLDivElement>(null);
  const hides = leads && !isAway;
  useLayoutEffect(() => (hides ? markSections(box.current) : undefined), [hides]);
  if (isAway) return <Away />;
  return (
    <div ref={box} className={leads ? `${styles.skeleton} ${styles.leads}` : styles.skeleton} aria-busy="true">
      <span className="visually-hidden" role="status">
        {felt ? labels.loading : ''}
      </span>
      {[...Array(rows).keys()].map((row) => (
        <span key={row} className={felt ? styles.bar : styles.room} />
      ))}
    </div>
  );
}

/** The sections around a leading skeleton: what follows them is hidden. Undone by the returned function. */
function markSections(skeleton: Element | null): () => void {
  const sections: HTMLElement[] = [];
  for (let one = skeleton?.closest('section'); one != null; one = one.parentElement?.closest('section')) {
    sections.push(one);
  }
  const count = (added: number) => {
    for (const { dataset } of sections) {
      const skeletons = Number(dataset.leads ?? 0) + added;
      if (skeletons > 0) dataset.leads = String(skeletons);
      else delete dataset.leads;
    }
  };
  count(1);
  return () => count(-1);
}

export function Empty({ title, children, action }: { title: string; children?: ReactNode; action?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <p className={styles.emptyTitle}>{title}</p>
      {children !== undefined && <p>{children}</p>}
      <RepeatedAction value={true}>{action}</RepeatedAction>
    </div>
  );
}

const toneIcons = { ok: 'check', warn: 'warning', bad: 'warning', info: 'info', neutral: 'info' } as const;

export function Notice({
  tone,
  title,
  children,
  actions,
}: {
  tone: Tone;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
}) {
  return (
    <div className={`${styles.notice} ${tones[tone]}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={toneIcons[tone]} />
      <div className={styles.noticeBody}>
        <p className={styles.noticeTitle}>{title}</p>
        {children !== undefined && <div>{children}</div>}
        {actions !== undefined && <div className={styles.noticeActions}>{actions}</div>}
      </div>
    </div>
  );
}

/** How often failed data are refetched, besides other refetches. */
const retryEveryMs = 5_000;

/** Replaces data that could not be read because the gateway is unreachable. Not an error, and it ends by itself. */
export function Away({ retry }: { retry?: () => void }) {
  const again = useRef(retry);
  again.current = retry;
  useEffect(() => {
    const timer = setInterval(() => again.current?.(), retryEveryMs);
    return () => clearInterval(timer);
  }, []);
  return (
    <div className={styles.empty} aria-busy="true">
      <p>{answerLabels.absent}</p>
    </div>
  );
}

/** An error, in the gateway's words, with the request id and a retry. */
export function Fault({ error, retry }: { error: unknown; retry?: () => void }) {
  const isAway = useIsAway();
  const known = error instanceof ApiError ? error : null;
  if (isAbsent(error, isAway)) return <Away retry={retry} />;
  if (known?.status === 404) return <NothingThere detail={known.message} />;
  const detail = known?.message ?? labels.fault.page;
  const details = `${known?.reason ?? 'ERROR'} · ${detail} · ${labels.fault.requestOf(known?.requestId ?? null)}`;
  return (
    <Notice
      tone="bad"
      title={known?.status === 403 ? labels.fault.forbidden : labels.fault.notLoaded}
      actions={
        <>
          {retry !== undefined && <Button onPress={retry}>{labels.fault.again}</Button>}
          <CopyButton value={details} what={copied.details} label={labels.copy.details} />
        </>
      }
    >
      <p>{detail}</p>
      {known?.requestId != null && (
        <p>
          {labels.fault.request} <code>{known.requestId}</code>
        </p>
      )}
    </Notice>
  );
}

/** A URL without a record: a retry would not help, a search may. */
function NothingThere({ detail }: { detail: string }) {
  return (
    <Empty title={labels.fault.nothing} action={<MessageSearch />}>
      {detail}
    </Empty>
  );
}

/** Opens the message log with the typed text. */
export function MessageSearch() {
  const navigate = useNavigate();
  return (
    <search>
      <form
        className={styles.find}
        onSubmit={(event) => {
          event.preventDefault();
          const q = String(new FormData(event.currentTarget).get('q')).trim();
          void navigate({ to: '/messages', search: { q } } as never);
        }}
      >
        <TextField label={labels.searchMessages} name="q" type="search" />
        <Button type="submit">{labels.search}</Button>
      </form>
    </search>
  );
}

/**
 * One query in its states; `children` get the data. Earlier data stay, with a note that they could not be refreshed:
 * above the page while the gateway is unreachable.
 */
export function Shown<T>({
  of,
  children,
  rows,
  leads = false,
}: {
  of: UseQueryResult<T>;
  children: (data: T) => ReactNode;
  rows?: number;
  leads?: boolean;
}) {
  const isAway = useIsAway();
  useReadTime(of.data === undefined ? 0 : of.dataUpdatedAt);
  // New data in the same place replace the old: the rest of the page stays.
  const had = useRef(false);
  if (of.data !== undefined) {
    had.current = true;
    return (
      <>
        {of.isError && !isAway && (
          <Notice
            tone="warn"
            title={labels.fault.outdated}
            actions={<Button onPress={() => void of.refetch()}>{labels.fault.again}</Button>}
          />
        )}
        {children(of.data)}
      </>
    );
  }
  return of.isError ? (
    <Fault error={of.error} retry={() => void of.refetch()} />
  ) : (
    <Loading rows={rows} leads={leads && !had.current} />
  );
}

/**
 * Why something was refused; takes the focus. Faults of fields are in the form's summary and not repeated; a cancelled
 * action is not an error.
 */
export function FormFault({
  error,
  at = [],
}: {
  error: unknown;
  /** Fields whose faults disappear while they are filled in: shown only there. */
  at?: readonly string[];
}) {
  const isShown = useIsShown();
  if (error === null || error === undefined || isLeft(error)) return null;
  const fields = error instanceof ApiError ? Object.entries(error.fields) : [];
  const unshown = fields.filter(([name, sentence]) => !at.includes(name) && !isShown(sentence));
  const isWhole = fields.length > 0 ? unshown.length === 0 : error instanceof ApiError && isShown(error.message);
  return isWhole ? null : <Focused key={idOf(error)}>{faultNotice(error, fields.length > 1 ? unshown : [])}</Focused>;
}

/** Scrolls to itself: otherwise a person at the end of a long form would not see it. */
export function Focused({ children }: { children: ReactNode }) {
  const container = useRef<HTMLDivElement>(null);
  useEffect(() => {
    container.current?.focus();
  }, []);
  return (
    <div ref={container} tabIndex={-1} className={styles.focused}>
      {children}
    </div>
  );
}

const ids = new WeakMap<object, number>();
let lastId = 0;

/** A new fault, even with the same words, is announced again. */
function idOf(error: unknown): number {
  if (typeof error !== 'object' || error === null) return 0;
  const id = ids.get(error) ?? ++lastId;
  ids.set(error, id);
  return id;
}

function faultNotice(error: unknown, unshown: readonly (readonly [string, string])[]): ReactNode {
  const known = error instanceof ApiError ? error : null;
  return (
    <Notice tone="bad" title={known?.message ?? labels.fault.page}>
      {unshown.length > 0 && (
        <ul className={styles.faults}>
          {unshown.map(([name, sentence]) => (
            <li key={name}>
              <code>{name}</code>: {sentence}
            </li>
          ))}
        </ul>
      )}
      {known?.requestId != null && (
        <p>
          {labels.fault.request} <code>{known.requestId}</code>
        </p>
      )}
    </Notice>
  );
}

/** The fault of one field of a refused form. */
export function faultOf(error: unknown, field: string): string | undefined {
  return error instanceof ApiError ? error.fields[field] : undefined;
}
