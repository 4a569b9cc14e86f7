/** The menu of the portal, in three groups. */
import type { Permission } from '../api/session';
import { labelsOf } from '../language/labels';
import type { IconName } from '../ui/icons';

const words = labelsOf('frame');

export interface Place {
  to: string;
  label: string;
  icon: IconName;
  /** Who may see it; everybody when left out. */
  permission?: Permission;
  sandboxOnly?: boolean;
  /** Pressed after `g`. */
  key?: string;
  /** Where its pages lie, when not all of them lie under its own address. */
  holds?: string;
}

export const navigation: readonly (readonly Place[])[] = [
  [
    { to: '/', label: words.places.home, icon: 'home', key: 'h' },
    { to: '/messages', label: words.places.messages, icon: 'message', key: 'm' },
    { to: '/conversations', label: words.places.conversations, icon: 'conversation', key: 'v', permission: 'readBody' },
    {
      to: '/handsets',
      label: words.places.handsets,
      icon: 'handset',
      key: 's',
      sandboxOnly: true,
      permission: 'readBody',
    },
  ],
  [
    { to: '/numbers', label: words.places.numbers, icon: 'number', key: 'n' },
    { to: '/campaigns', label: words.places.campaigns, icon: 'campaign', key: 'c' },
    { to: '/opt-outs', label: words.places.optOuts, icon: 'optOut', key: 'o' },
    { to: '/webhooks', label: words.places.webhooks, icon: 'webhook', key: 'w' },
    { to: '/settings/company/api-keys', label: words.places.keys, icon: 'key', key: 'k', permission: 'manageKeys' },
    { to: '/requests', label: words.places.requests, icon: 'request', permission: 'manageKeys' },
  ],
  [
    { to: '/carriers', label: words.places.carriers, icon: 'carrier', permission: 'operator' },
    { to: '/routes', label: words.places.routes, icon: 'route', permission: 'operator' },
    { to: '/accounts', label: words.places.accounts, icon: 'person', permission: 'operator' },
    { to: '/usage', label: words.places.usage, icon: 'usage', key: 'u', permission: 'readUsage' },
    { to: '/audit', label: words.places.audit, icon: 'audit', permission: 'readAudit' },
  ],
  [
    // Everybody may see some of it: what they may not change is shown to them as it is.
    { to: '/settings/company', label: words.places.settings, icon: 'settings', holds: '/settings' },
  ],
];

export const allPlaces: readonly Place[] = navigation.flat();

/** The one place that a page belongs to: whose address its own begins with, the longest of them. */
export function placeOf(path: string): string | null {
  const holding = allPlaces
    .map(({ to, holds = to }) => ({ to, holds }))
    .filter(({ holds }) => path === holds || (holds !== '/' && path.startsWith(`${holds}/`)))
    .sort((one, other) => other.holds.length - one.holds.length);
  return holding[0]?.to ?? null;
}
