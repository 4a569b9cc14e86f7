/** The menu of the portal, in three groups, and how it shows on narrow screens. */

import { useEffect, useRef, useState } from 'react';
import type { Permission } from '../api/session';
import { labelsOf } from '../language/labels';
import type { IconName } from '../ui/icons';

const labels = labelsOf('frame');

export interface MenuEntry {
  to: string;
  label: string;
  icon: IconName;
  /** Who may see it; default: everybody */
  permission?: Permission;
  sandboxOnly?: boolean;
  /** Pressed after `g`. */
  key?: string;
  /** The path of its pages, if not all are under its own URL. */
  holds?: string;
}

export const navigation: readonly (readonly MenuEntry[])[] = [
  [
    { to: '/', label: labels.places.home, icon: 'home', key: 'h' },
    { to: '/messages', label: labels.places.messages, icon: 'message', key: 'm' },
    {
      to: '/conversations',
      label: labels.places.conversations,
      icon: 'conversation',
      key: 'v',
      permission: 'readBody',
    },
    {
      to: '/handsets',
      label: labels.places.handsets,
      icon: 'handset',
      key: 's',
      sandboxOnly: true,
      permission: 'readBody',
    },
  ],
  [
    { to: '/numbers', label: labels.places.numbers, icon: 'number', key: 'n' },
    { to: '/campaigns', label: labels.places.campaigns, icon: 'campaign', key: 'c' },
    { to: '/opt-outs', label: labels.places.optOuts, icon: 'optOut', key: 'o' },
    { to: '/webhooks', label: labels.places.webhooks, icon: 'webhook', key: 'w' },
    { to: '/settings/company/api-keys', label: labels.places.keys, icon: 'key', key: 'k', permission: 'manageKeys' },
    { to: '/requests', label: labels.places.requests, icon: 'request', permission: 'manageKeys' },
  ],
  [
    { to: '/carriers', label: labels.places.carriers, icon: 'carrier', permission: 'operator' },
    { to: '/routes', label: labels.places.routes, icon: 'route', permission: 'operator' },
    { to: '/alerts', label: labels.places.alerts, icon: 'alert', permission: 'operator' },
    { to: '/accounts', label: labels.places.accounts, icon: 'person', permission: 'operator' },
    { to: '/usage', label: labels.places.usage, icon: 'usage', key: 'u', permission: 'readUsage' },
    { to: '/audit', label: labels.places.audit, icon: 'audit', permission: 'readAudit' },
  ],
  [
    // Everybody may see part of it; settings that a person may not change are shown read-only.
    { to: '/settings/company', label: labels.places.settings, icon: 'settings', holds: '/settings' },
  ],
];

export const menuEntries: readonly MenuEntry[] = navigation.flat();

/** The menu entry of a page: the longest one whose address the page's address begins with. */
export function menuPathOf(path: string): string | null {
  const holding = menuEntries
    .map(({ to, holds = to }) => ({ to, holds }))
    .filter(({ holds }) => path === holds || (holds !== '/' && path.startsWith(`${holds}/`)))
    .sort((one, other) => other.holds.length - one.holds.length);
  return holding[0]?.to ?? null;
}

/**
 * The navigation as a menu over the page: opening it moves the focus there, Esc returns it to the button, and it closes
 * when focus or a touch goes elsewhere, so that nothing behind it is used. Dialogs and lists opened from it are outside
 * the frame and do not close it.
 */
export function useMenu(pathname: string) {
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLSpanElement>(null);
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes at every change of page
  useEffect(() => setOpen(false), [pathname]);
  useEffect(() => {
    if (!isOpen) return;
    const link = nav.current?.querySelector<HTMLElement>('a[aria-current]') ?? nav.current?.querySelector('a');
    link?.focus();
    const elsewhere = ({ target }: Event) => {
      if (isElsewhere(target, frame.current, [nav.current, button.current])) setOpen(false);
    };
    const key = ({ key, target }: KeyboardEvent) => {
      if (key !== 'Escape' || !(target instanceof Node && frame.current?.contains(target))) return;
      setOpen(false);
      button.current?.querySelector('button')?.focus();
    };
    document.addEventListener('focusin', elsewhere);
    document.addEventListener('pointerdown', elsewhere);
    document.addEventListener('keydown', key);
    return () => {
      document.removeEventListener('focusin', elsewhere);
      document.removeEventListener('pointerdown', elsewhere);
      document.removeEventListener('keydown', key);
    };
  }, [isOpen]);
  return { isOpen, toggle: () => setOpen(!isOpen), frame, button, nav };
}

/** Within the frame, and in none of the `parts` of the menu. */
function isElsewhere(target: EventTarget | null, frame: HTMLElement | null, parts: (HTMLElement | null)[]): boolean {
  return (
    target instanceof Node && frame?.contains(target) === true && parts.every((part) => part?.contains(target) !== true)
  );
}
