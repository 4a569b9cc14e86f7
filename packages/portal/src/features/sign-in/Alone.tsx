/** The frame of signed-out pages: one column in the middle, and the languages below. */
import type { ReactNode } from 'react';
import { labelsOf } from '../../language/labels';
import { language, languageNames, offeredLanguage, speak } from '../../language/language';
import { Button } from '../../ui/Button';
import { Page } from '../../ui/Page';
import styles from './Alone.module.css';

const labels = labelsOf('signIn');

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
      <Languages />
    </main>
  );
}

/** Remembered in this browser; after a sign-in the profile's language applies. */
function Languages() {
  return (
    <fieldset aria-label={labels.language} className={styles.languages}>
      {Object.entries(languageNames).map(([tag, name]) => (
        <span key={tag} lang={tag}>
          <Button
            look="quiet"
            aria-current={tag === language ? true : undefined}
            onPress={() => speak(offeredLanguage(tag) ?? 'en')}
          >
            {name}
          </Button>
        </span>
      ))}
    </fieldset>
  );
}
