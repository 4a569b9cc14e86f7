/** The frame of every page: title with focus after a change of route, breadcrumbs, primary actions, panels, tabs. */
import { Link } from '@tanstack/react-router';
import { isValidElement, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { labelsOf } from '../language/labels';
import { FaultSummary } from './FaultSummary';
import { Filled, useFilled } from './filled';
import styles from './Page.module.css';
import { setPageTitle } from './tab-title';

const words = labelsOf('ui');

export interface Crumb {
  label: string;
  to?: string;
}

/** Whether this visit has shown a page before. */
let opened = false;

export function Page({
  title,
  documentTitle,
  tabTitle,
  crumbs,
  actions,
  beside,
  fills,
  isTitleHidden = false,
  children,
}: {
  title: ReactNode;
  /** For the tab of the browser, when the title is no plain text. */
  documentTitle?: string;
  /** The whole title of the tab, without the name of the gateway. */
  tabTitle?: string;
  crumbs?: readonly Crumb[];
  actions?: ReactNode;
  /** On the line of the title, with all the room that is left. */
  beside?: ReactNode;
  /** It is as high as the window; its parts scroll, and not the page. */
  fills?: boolean;
  /** Its title is for screen readers: what is on the page says it. */
  isTitleHidden?: boolean;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const spoken = documentTitle ?? (typeof title === 'string' ? title : '');
  useEffect(() => {
    setPageTitle(tabTitle ?? (spoken === '' ? 'Heliograph' : `${spoken} · Heliograph`), tabTitle !== undefined);
  }, [spoken, tabTitle]);
  useEffect(() => {
    // A page opened by its address starts at its top, where the skip link is.
    if (opened) heading.current?.focus({ preventScroll: true });
    opened = true;
  }, []);
  return (
    <div className={styles.page} data-fills={fills}>
      {crumbs !== undefined && (
        <nav aria-label={words.breadcrumbs} className={styles.crumbs}>
          {crumbs.map(({ label, to }) => (
            <span key={label}>{to === undefined ? label : <Link to={to}>{label}</Link>}</span>
          ))}
        </nav>
      )}
      <header className={isTitleHidden ? 'visually-hidden' : styles.head}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {beside !== undefined && <div className={styles.beside}>{beside}</div>}
        {actions !== undefined && <div className={styles.actions}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

export function Panel({
  title,
  actions,
  children,
  id,
}: {
  title?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
  id?: string;
}) {
  return (
    <section className={styles.panel} id={id}>
      {title !== undefined && (
        <header className={styles.panelHead}>
          <h2>{title}</h2>
          {actions !== undefined && <div className={styles.actions}>{actions}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

/** Characters in one piece that a column of facts holds, and those that have a line of their own. */
const pieceMax = { narrow: 22, wide: 32 } as const;

/** Of the longest piece that cannot be broken well, such as an address: its characters. Other content says nothing of it. */
function longestPiece(value: ReactNode): number {
  const props = isValidElement<{ value?: unknown; children?: unknown }>(value) ? value.props : { value };
  const text = props.value ?? props.children;
  return typeof text === 'string' ? Math.max(...text.split(/\s/).map((piece) => piece.length)) : 0;
}

/** Pairs of name and value. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  const isRoomy = facts.some(([, value]) => longestPiece(value) > pieceMax.narrow);
  return (
    <dl className={`${styles.facts} ${isRoomy ? styles.roomy : ''}`}>
      {facts.map(([name, value]) => (
        <div key={name} className={longestPiece(value) > pieceMax.wide ? styles.long : undefined}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Fields one under the other, then what to do with them; on top, once it was sent, what is wrong with them. */
export function Form({
  children,
  onSubmit,
  label,
  wide,
}: {
  children: ReactNode;
  /** Its fields stand in columns. */
  wide?: boolean;
  /** `pressed`: the value of the button that sent it, where there are several. */
  onSubmit(pressed: string): void;
  label?: string;
}) {
  const [attempts, setAttempts] = useState(0);
  const touched = useRef(false);
  const noteOutside = useFilled();
  const note = useCallback(
    (field: Element | null) => {
      touched.current = true;
      noteOutside(field);
    },
    [noteOutside],
  );
  return (
    <form
      aria-label={label}
      className={`${styles.form} ${wide === true ? styles.wideForm : ''}`}
      noValidate
      onInput={() => {
        touched.current = true;
      }}
      onSubmit={(event) => {
        event.preventDefault();
        touched.current = false;
        setAttempts(attempts + 1);
        const { submitter } = event.nativeEvent as SubmitEvent;
        onSubmit(submitter instanceof HTMLButtonElement ? submitter.value : '');
      }}
    >
      <Filled value={note}>
        <FaultSummary attempts={attempts} touched={touched}>
          {children}
        </FaultSummary>
      </Filled>
    </form>
  );
}

/** Filters of a list: its search first, then ticks and choices. */
export function FilterLine({ children }: { children: ReactNode }) {
  return <div className={styles.filterLine}>{children}</div>;
}

/** Several choices by which a list is narrowed, side by side. */
export function Choices({ children }: { children: ReactNode }) {
  return <div className={styles.choices}>{children}</div>;
}

export function Row({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}
