/** Shortcuts of the whole portal. Single keys never act while something is typed, and can be turned off (WCAG 2.1.4). */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { Dialog } from '../ui/Dialog';
import { frameWords } from '../words/en/frame';
import styles from './keyboard.module.css';
import { allPlaces } from './navigation';

const storedName = 'helio-single-keys';

export function singleKeysOn(): boolean {
  try {
    return localStorage.getItem(storedName) !== 'off';
  } catch {
    return true;
  }
}

export function setSingleKeys(on: boolean): void {
  try {
    localStorage.setItem(storedName, on ? 'on' : 'off');
  } catch {
    // Storage may be switched off: then they stay on.
  }
}

/** A `g` waits this long for its second key. */
const chordMs = 1_500;

export function useShortcuts({ openPalette, openHelp }: { openPalette(): void; openHelp(): void }): void {
  const navigate = useNavigate();
  const goPressedAt = useRef(0);
  const actions = useRef({ openPalette, openHelp });
  actions.current = { openPalette, openHelp };

  useEffect(() => {
    function pressed(event: KeyboardEvent): void {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault();
        actions.current.openPalette();
        return;
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !singleKeysOn()) return;
      const place =
        Date.now() - goPressedAt.current < chordMs ? allPlaces.find(({ key }) => key === event.key) : undefined;
      goPressedAt.current = event.key === 'g' ? Date.now() : 0;
      if (place !== undefined) void navigate({ to: place.to });
      else if (event.key === '?') actions.current.openHelp();
      else if (event.key === '/') focusSearch(event);
      else if (event.key === 'j' || event.key === 'k') moveRow(event.key === 'j' ? 1 : -1);
    }
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, [navigate]);
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable ||
      target.closest('input, textarea, select, [role="dialog"], [role="listbox"], [role="menu"]') !== null)
  );
}

/** The search of a page marks its field with `data-page-search`. */
function focusSearch(event: KeyboardEvent): void {
  const field = document.querySelector<HTMLInputElement>('[data-page-search] input, input[data-page-search]');
  if (field === null) return;
  event.preventDefault();
  field.focus();
}

/** Moves the focus along the first link of each row of the page's first table. */
function moveRow(step: 1 | -1): void {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('main tbody tr')].flatMap(
    (row) => row.querySelector<HTMLAnchorElement>('a[href]') ?? [],
  );
  const at = links.findIndex((link) => link.closest('tr')?.contains(document.activeElement) === true);
  links[at === -1 ? (step === 1 ? 0 : links.length - 1) : at + step]?.focus();
}

export function KeyboardHelp({ open, onClose }: { open: boolean; onClose(): void }) {
  const words = frameWords.keys;
  return (
    <Dialog title={words.title} open={open} onClose={onClose}>
      <dl className={styles.keys}>
        {words.list.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p>{words.off}</p>
    </Dialog>
  );
}
