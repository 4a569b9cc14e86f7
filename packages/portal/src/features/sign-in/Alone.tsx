/** The frame of pages for whoever is not signed in: one column in the middle. */
import type { ReactNode } from 'react';
import { Page } from '../../ui/Page';
import styles from './Alone.module.css';

export function Alone({ title, children }: { title: string; children: ReactNode }) {
  return (
    <main className={styles.alone}>
      <p className={styles.name}>
        <img src="/icon.svg" alt="" width="24" height="24" />
        Heliograph
      </p>
      <div className={styles.box}>
        <Page title={title}>{children}</Page>
      </div>
    </main>
  );
}
