/** Every page in the palette, by its title and its other names. Pure. */
import type { Me } from '../api/session';
import { labelsOf } from '../language/labels';
import { type MenuEntry, menuEntries } from './navigation';

const labels = labelsOf('palette');

export interface PalettePage extends Pick<MenuEntry, 'to' | 'label' | 'permission' | 'sandboxOnly'> {
  search?: Record<string, string>;
  /** Served beside the portal, not as part of it. */
  outside?: boolean;
  /** The searched text: its title and other names. */
  text: string;
}

type Name = keyof typeof labels.pages;

function page(name: Name, to: string, more: Partial<PalettePage> = {}): PalettePage {
  const label = labels.pages[name];
  return { to, label, text: `${label} ${labels.also[name]}`, ...more };
}

const others: readonly PalettePage[] = [
  page('newMessage', '/messages/new', { permission: 'send' }),
  page('company', '/settings/company'),
  page('users', '/settings/users'),
  page('security', '/settings/security'),
  page('retention', '/settings/retention'),
  page('sandbox', '/settings/sandbox'),
  page('backup', '/settings/backup', { permission: 'operator' }),
  page('about', '/settings/about'),
  page('profile', '/profile'),
  page('docs', '/docs', { outside: true }),
  page('reasons', '/reasons'),
  page('brands', '/campaigns', { search: { tab: 'brands' } }),
  page('inbox', '/webhooks', { search: { tab: 'inbox' }, sandboxOnly: true }),
  page('unmatched', '/carriers', { search: { tab: 'unmatched' }, permission: 'operator' }),
  page('tester', '/routes', { search: { tab: 'tester' }, permission: 'operator' }),
];

/** The pages that a person may open, those of the navigation first. */
export function palettePages({ permissions, sandbox }: Pick<Me, 'permissions' | 'sandbox'>): PalettePage[] {
  const entries = menuEntries.map((entry): PalettePage => ({ ...entry, text: entry.label }));
  return [...entries, ...others].filter(
    ({ permission, sandboxOnly }) =>
      (permission === undefined || permissions.includes(permission)) && (sandboxOnly !== true || sandbox),
  );
}
