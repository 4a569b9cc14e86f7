/**
 * A scrolling list that opens at its end and follows it. Who has scrolled up keeps the view: older rows added above move it
 * along, and the browser's scroll anchoring covers the oldest rows that are dropped.
 */
import { useLayoutEffect, useState } from 'react';

/** At this distance from the end a person is reading older rows: a new one does not scroll. */
const nearPx = 120;

/** `rows` in order. `isOwn`: the last one is the person's own, who wants to see it wherever the list stands. */
export function useFollowedEnd(rows: readonly { id: string }[], { isOwn = false, near = nearPx } = {}) {
  const [follower] = useState(() => createFollower(near));
  const first = rows[0]?.id ?? '';
  const last = rows.at(-1)?.id ?? '';
  // biome-ignore lint/correctness/useExhaustiveDependencies: only other ends scroll, not every render
  useLayoutEffect(() => follower.changed(rows, isOwn), [follower, first, last, isOwn]);
  return follower;
}

function createFollower(near: number) {
  let list: HTMLElement | null = null;
  let seen = { first: '', last: '', height: 0, top: 0 };

  const wasNear = (box: HTMLElement) => seen.height - seen.top - box.clientHeight < near;
  // Scrolls only the list: scrolling to an element would move the page too.
  const toEnd = (box: HTMLElement) => box.scrollTo({ top: box.scrollHeight });
  function note(): void {
    if (list !== null) seen = { ...seen, height: list.scrollHeight, top: list.scrollTop };
  }
  // A picture that loads late makes the list higher, and a banner above makes it lower.
  const sizes = new ResizeObserver(() => {
    if (list !== null && wasNear(list)) toEnd(list);
    note();
  });
  function watchSize(element: Element | null): (() => void) | undefined {
    if (element === null) return undefined;
    sizes.observe(element);
    return () => sizes.unobserve(element);
  }

  return {
    /** The `ref` of the list. */
    list: (box: HTMLElement | null) => {
      if (box === null) return undefined;
      list = box;
      const unwatch = watchSize(box);
      box.addEventListener('scroll', note);
      return () => {
        unwatch?.();
        box.removeEventListener('scroll', note);
        list = null;
      };
    },
    /** The `ref` of each row: the same function at every render, so that only a new row is watched anew. */
    row: watchSize,
    changed: (rows: readonly { id: string }[], isOwn: boolean) => {
      if (list === null) return;
      const { first: knownFirst, last: knownLast, height, top } = seen;
      const first = rows[0]?.id ?? '';
      const last = rows.at(-1)?.id ?? '';
      const opens = knownLast === '';
      if (last !== knownLast && (opens || isOwn || wasNear(list))) toEnd(list);
      else if (first !== knownFirst && rows.some(({ id }) => id === knownFirst)) {
        list.scrollTo({ top: top + list.scrollHeight - height });
      }
      seen = { ...seen, first, last };
      note();
    },
  };
}
