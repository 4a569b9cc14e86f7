/** Shortcuts of the whole portal. Single keys never act while a person types, and can be turned off (WCAG 2.1.4). */
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { labelsOf } from '../language/labels';
import { Dialog } from '../ui/Dialog';
import styles from './keyboard.module.css';
import { menuEntries } from './navigation';

const frameLabels = labelsOf('frame');

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
    // Storage may be disabled: then they stay on.
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
      if (event.key === 'Escape') {
        clearSearch(event);
        putTipsAway();
      }
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target) || !singleKeysOn()) return;
      const entry =
        Date.now() - goPressedAt.current < chordMs ? menuEntries.find(({ key }) => key === event.key) : undefined;
      goPressedAt.current = event.key === 'g' ? Date.now() : 0;
      if (entry !== undefined) void navigate({ to: entry.to });
      else if (event.key === '?') actions.current.openHelp();
      else if (event.key === '/') {
        event.preventDefault();
        const field = document.querySelector<HTMLInputElement>(searchField);
        if (field === null) actions.current.openPalette();
        else field.focus();
      } else if (event.key === 'j' || event.key === 'k') moveRow(event.key === 'j' ? 1 : -1);
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

const searchField = 'main input[type="search"]';

/** Esc clears the search of the page, and leaves it when it is empty. */
function clearSearch({ target, defaultPrevented }: KeyboardEvent): void {
  if (defaultPrevented || !(target instanceof HTMLInputElement) || !target.matches(searchField)) return;
  if (target.value === '') {
    target.blur();
    return;
  }
  // Uses the element's own property setter, because React notices no other change.
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(target, '');
  target.dispatchEvent(new Event('input', { bubbles: true }));
}

/** Hides the tooltip of an icon until the pointer or the focus moves on. */
function putTipsAway(): void {
  const { dataset } = document.documentElement;
  dataset.tips = 'off';
  const on = () => delete dataset.tips;
  for (const sign of ['pointerout', 'focusout']) addEventListener(sign, on, { once: true });
}

/** Rows of tables, and of lists that mark theirs. */
const row = 'main tbody tr, main [data-row]';
const inRow = 'a[href], button:not([disabled])';

/** Event on a row's control after a key has moved the focus to it: the view beside the list follows. */
export const rowMoved = 'helio-row-moved';

/** Moves the focus to the first control of each row, skipping rows without one; from the open row when none has it. */
function moveRow(step: 1 | -1): void {
  const rows = [...document.querySelectorAll<HTMLElement>(row)].filter((one) => one.querySelector(inRow) !== null);
  const focused = rows.findIndex((one) => one.contains(document.activeElement));
  const at = focused === -1 ? rows.findIndex((one) => one.hasAttribute('aria-current')) : focused;
  const control = rows[at === -1 ? (step === 1 ? 0 : rows.length - 1) : at + step]?.querySelector<HTMLElement>(inRow);
  control?.focus();
  control?.dispatchEvent(new Event(rowMoved, { bubbles: true }));
}

export function KeyboardHelp({ open, onClose }: { open: boolean; onClose(): void }) {
  const labels = frameLabels.keys;
  return (
    <Dialog title={labels.title} open={open} onClose={onClose}>
      <dl className={styles.keys}>
        {labels.list.map(([keys, does]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{does}</dd>
          </div>
        ))}
      </dl>
      <p>{labels.off}</p>
    </Dialog>
  );
}
