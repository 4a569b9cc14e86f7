/** The frame of every page: title with focus after a change of route, breadcrumbs, primary actions, panels, tabs. */
import { Link } from '@tanstack/react-router';
import { isValidElement, type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { labelsOf } from '../language/labels';
import { FaultSummary } from './FaultSummary';
import { Filled, useFilled } from './filled';
import styles from './Page.module.css';
import { setPageTitle } from './tab-title';

const labels = labelsOf('ui');

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
  /** For the browser's tab, when the title is not plain text. */
  documentTitle?: string;
  /** The whole title of the tab, without the name of the gateway. */
  tabTitle?: string;
  crumbs?: readonly Crumb[];
  actions?: ReactNode;
  /** On the title's line, in the remaining space. */
  beside?: ReactNode;
  /** As high as the window; its parts scroll, not the page. */
  fills?: boolean;
  /** The title is only for screen readers: the content shows it already. */
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
        <nav aria-label={labels.breadcrumbs} className={styles.crumbs}>
          {crumbs.map(({ label, to }) => (
            <span key={label} className={styles.crumb}>
              {to === undefined ? label : <Link to={to}>{label}</Link>}
            </span>
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

/** Longest unbreakable piece that fits a column of facts; longer ones get their own line. */
const pieceMax = { narrow: 22, wide: 32 } as const;

/** Length of the longest piece that cannot be broken well, such as a URL. Unknown for other content. */
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

/** Fields below each other, then the buttons; above them, after submitting, the faults. */
export function Form({
  children,
  onSubmit,
  label,
  wide,
}: {
  children: ReactNode;
  /** Its fields are in columns. */
  wide?: boolean;
  /** `pressed`: the value of the submitting button, if there are several. */
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

/** Several filters of a list, side by side. */
export function Choices({ children }: { children: ReactNode }) {
  return <div className={styles.choices}>{children}</div>;
}

export function Row({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}
