/**
 * The navigation where it is a menu over the page: opening it takes the focus there, Esc brings it back to the button, and
 * the menu closes when the focus or a touch goes elsewhere, so that nothing is ever worked on behind it. Windows and lists
 * that open from it lie outside the frame and leave it as it is.
 */
import { useEffect, useRef, useState } from 'react';

export function useMenu(pathname: string) {
  const [isOpen, setOpen] = useState(false);
  const frame = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLSpanElement>(null);
  const nav = useRef<HTMLElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the menu closes whenever the page changes
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
