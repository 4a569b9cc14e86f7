/** Shared by the pages of the settings: their title and navigation. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { type Permission, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Page } from '../../ui/Page';
import styles from './Settings.module.css';

const labels = labelsOf('settings');

const parts: readonly { to: string; label: string; permission?: Permission }[] = [
  { to: '/settings/company', label: labels.parts.company },
  { to: '/settings/company/api-keys', label: labels.parts.keys, permission: 'manageKeys' },
  { to: '/settings/users', label: labels.parts.users },
  { to: '/settings/security', label: labels.parts.security },
  { to: '/settings/retention', label: labels.parts.retention },
  { to: '/settings/sandbox', label: labels.parts.sandbox },
  { to: '/settings/backup', label: labels.parts.backup, permission: 'operator' },
  { to: '/settings/about', label: labels.parts.about },
];

export function SettingsPage({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ReactNode;
  children: ReactNode;
}) {
  const me = useMe();
  return (
    <Page title={title} documentTitle={`${title} · ${labels.title}`} actions={actions}>
      <nav aria-label={labels.parts.label}>
        <ul className={styles.parts}>
          {parts
            .filter(({ permission }) => permission === undefined || me.permissions.includes(permission))
            .map(({ to, label }) => (
              <li key={to}>
                <Link to={to} activeOptions={{ exact: true }} activeProps={{ 'aria-current': 'page' }}>
                  {label}
                </Link>
              </li>
            ))}
        </ul>
      </nav>
      {children}
    </Page>
  );
}
