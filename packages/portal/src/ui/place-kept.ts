/** Keeps what somebody looks at where it is on the screen while the address changes, and the page around it with it. */
import { useRouter } from '@tanstack/react-router';
import { useCallback } from 'react';

/** Call what it returns before the change; `find` finds the element before and after it. */
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
