/** Leads to the sign-in page once the session is over, wherever that was noticed; from there back to the same address. */

/** One end of a session is told by everything that asks; who is asked about leaving the page is asked once. */
const againMs = 3_000;
let leftAt = Number.NEGATIVE_INFINITY;

export function leaveSignedOut(): void {
  if (Date.now() - leftAt < againMs) return;
  leftAt = Date.now();
  location.assign(signInAddress(location));
}

export function signInAddress({ pathname, search, hash }: Pick<Location, 'pathname' | 'search' | 'hash'>): string {
  const here = pathname + search + hash;
  return `/login?${new URLSearchParams({ ...(here !== '/' && { next: here }), out: 'yes' })}`;
}
