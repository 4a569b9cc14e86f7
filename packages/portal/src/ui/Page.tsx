/** The frame of every page: title with focus after a change of route, breadcrumbs, primary actions, panels, tabs. */
import { Link } from '@tanstack/react-router';
import { type ReactNode, useCallback, useEffect, useRef, useState } from 'react';
import { FaultSummary } from './FaultSummary';
import { Filled, useFilled } from './filled';
import styles from './Page.module.css';

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
  children,
}: {
  title: ReactNode;
  /** For the tab of the browser, when the title is no plain text. */
  documentTitle?: string;
  /** The whole title of the tab, without the name of the gateway. */
  tabTitle?: string;
  crumbs?: readonly Crumb[];
  actions?: ReactNode;
  children: ReactNode;
}) {
  const heading = useRef<HTMLHeadingElement>(null);
  const spoken = documentTitle ?? (typeof title === 'string' ? title : '');
  useEffect(() => {
    document.title = tabTitle ?? (spoken === '' ? 'Heliograph' : `${spoken} · Heliograph`);
  }, [spoken, tabTitle]);
  useEffect(() => {
    // A page that was opened by its address begins at its top, where the way past the navigation is.
    if (opened) heading.current?.focus({ preventScroll: true });
    opened = true;
  }, []);
  return (
    <div className={styles.page}>
      {crumbs !== undefined && (
        <nav aria-label="Breadcrumbs" className={styles.crumbs}>
          {crumbs.map(({ label, to }) => (
            <span key={label}>{to === undefined ? label : <Link to={to}>{label}</Link>}</span>
          ))}
        </nav>
      )}
      <header className={styles.head}>
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
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

/** Pairs of name and value. */
export function Facts({ facts }: { facts: readonly (readonly [string, ReactNode])[] }) {
  return (
    <dl className={styles.facts}>
      {facts.map(([name, value]) => (
        <div key={name}>
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
}: {
  children: ReactNode;
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
      className={styles.form}
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

export function Row({ children }: { children: ReactNode }) {
  return <div className={styles.row}>{children}</div>;
}
