/** Whether the window is too narrow for columns: then a page shows tabs. */
import { useSyncExternalStore } from 'react';

const narrow = '(max-width: 1100px)';

export function useNarrow(query = narrow): boolean {
  return useSyncExternalStore(
    (changed) => {
      const list = matchMedia(query);
      list.addEventListener('change', changed);
      return () => list.removeEventListener('change', changed);
    },
    () => matchMedia(query).matches,
  );
}
