/** Single keys of the page, and Esc; never while somebody types, nor with a modifier. */
import { useEffect, useRef } from 'react';
import { singleKeysOn } from '../../frame/keyboard';

const typingPlace = 'input, textarea, [role]:not([role="tab"], [role="tabpanel"])';
const overlay = '[role="dialog"], [role="alertdialog"], [role="menu"], [role="listbox"]';

/** Esc leaves the reply first. `Escape` works whatever the profile says: it is no character. */
export function useKeys(keys: Readonly<Record<string, () => void>>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    function pressed(event: KeyboardEvent): void {
      const { key, target } = event;
      const act = latest.current[key];
      if (act === undefined || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      if (key !== 'Escape' && !singleKeysOn()) return;
      if (document.querySelector(overlay) !== null) return;
      if (key === 'Escape' && target instanceof HTMLTextAreaElement) {
        target.blur();
        return;
      }
      if (target instanceof Element && target.closest(typingPlace) !== null) return;
      event.preventDefault();
      act();
    }
    addEventListener('keydown', pressed);
    return () => removeEventListener('keydown', pressed);
  }, []);
}
