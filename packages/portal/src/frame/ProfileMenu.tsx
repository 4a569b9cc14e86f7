/** The signed-in person; links to their profile, the colour scheme, and sign-out. */
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { api, setCsrf } from '../api/client';
import { useMe } from '../api/session';
import { forgetDrafts } from '../features/messages/draft';
import { labelsOf } from '../language/labels';
import { Button } from '../ui/Button';
import { Select } from '../ui/Field';
import { roleName } from '../ui/roles';
import styles from './ProfileMenu.module.css';

type Theme = 'system' | 'light' | 'dark';

const storedName = 'helio-theme';

function theme(): Theme {
  const { theme: set } = document.documentElement.dataset;
  return set === 'light' || set === 'dark' ? set : 'system';
}

function setTheme(value: string): void {
  const { dataset } = document.documentElement;
  if (value === 'light' || value === 'dark') dataset.theme = value;
  else delete dataset.theme;
  try {
    localStorage.setItem(storedName, value);
  } catch {
    // Storage may be disabled: the choice then lasts until the page is closed.
  }
}

const labels = labelsOf('frame');

export function ProfileMenu() {
  const me = useMe();
  const client = useQueryClient();
  const [colours, setColours] = useState(theme());

  async function signOut(): Promise<void> {
    await api.post('/sign-out', {});
    setCsrf('');
    client.clear();
    forgetDrafts();
    location.assign('/login');
  }

  return (
    <div className={styles.profile}>
      <Link to="/profile">
        {me.user.name}
        <span className="visually-hidden"> — {labels.profile}</span>
      </Link>
      <p className={styles.role}>
        {roleName(me.user.role)}
        {me.user.operator && ` · ${labels.operatorRole}`}
      </p>
      <Select
        label={labels.theme.label}
        hideLabel
        value={colours}
        choices={(['system', 'light', 'dark'] as const).map((value) => ({ value, label: labels.theme[value] }))}
        onChange={(value) => {
          setTheme(value);
          setColours(theme());
        }}
      />
      <Button look="quiet" onPress={() => void signOut()}>
        {labels.signOut}
      </Button>
    </div>
  );
}
