/** Keeps the reader's scroll position: while the URL changes, and in a list that they come back to. */
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useState } from 'react';

/** Keeps an element where it is on the screen: call what it returns before the change; `find` finds the element before and after it. */
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
 * The path of the page from which somebody came to this one, where it is of this form; '' otherwise. What `find` then finds
 * has the focus and is in view.
 */
export function useCameFrom(form: RegExp, find: (path: string) => HTMLElement | null): string {
  const router = useRouter();
  // The router resolves a new location after its page is drawn for the first time.
  const [path] = useState(() => router.state.resolvedLocation?.pathname ?? '');
  const from = form.test(path) ? path : '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, for whoever comes back.
  useEffect(() => {
    if (from === '') return;
    find(from)?.focus({ preventScroll: true });
    // The router scrolls once more: to where the page was left, or to its top.
    const stop = router.subscribe('onRendered', () => {
      stop();
      find(from)?.scrollIntoView({ block: 'nearest' });
    });
    return stop;
  }, []);
  return from;
}
