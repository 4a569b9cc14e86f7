/** Restores the reader's position in a list. */
import { useRouter } from '@tanstack/react-router';
import { useEffect, useState } from 'react';

/**
 * The path of the page just left, if it has this form; else ''. The element returned by `find` gets the focus and is
 * scrolled into view.
 */
export function useCameFrom(form: RegExp, find: (path: string) => HTMLElement | null): string {
  const router = useRouter();
  // The router resolves a new location after the first render of its page.
  const [path] = useState(() => router.state.resolvedLocation?.pathname ?? '');
  const from = form.test(path) ? path : '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: only once, on return
  useEffect(() => {
    if (from === '') return;
    find(from)?.focus({ preventScroll: true });
    // The router scrolls once more: to the old position, or to the top.
    const stop = router.subscribe('onRendered', () => {
      stop();
      find(from)?.scrollIntoView({ block: 'nearest' });
    });
    return stop;
  }, []);
  return from;
}
