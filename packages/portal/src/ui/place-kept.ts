/** Keeps the reader's scroll position: while the URL changes, and in a list that they come back to. */
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';

/**
 * Keeps an element at its place on the screen: call the returned function before the change; `find` finds the element
 * before and after it.
 */
export function usePlaceKept(): (find: () => Element | null) => void {
  const router = useRouter();
  return useCallback(
    (find) => {
      const before = find()?.getBoundingClientRect().top;
      // The router itself scrolls a new address to its top first.
      const stop = router.subscribe('onRendered', () => {
        stop();
        const after = find()?.getBoundingClientRect().top;
        if (before !== undefined && after !== undefined) scrollBy({ top: after - before, behavior: 'instant' });
      });
    },
    [router],
  );
}

/**
 * The path of the page that was just left, if it has this form; else ''. The element that `find` returns gets the focus
 * and is scrolled into view.
 */
export function useCameFrom(form: RegExp, find: (path: string) => HTMLElement | null): string {
  const router = useRouter();
  // The router resolves a new location after the first render of its page.
  const [path] = useState(() => router.state.resolvedLocation?.pathname ?? '');
  const from = form.test(path) ? path : '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for whoever comes back.
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
