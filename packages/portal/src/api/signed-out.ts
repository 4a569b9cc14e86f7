/**
 * Redirects to the sign-in page once the session is over, wherever that was detected, and back to the same address
 * afterwards.
 */

/** Several requests report the same end of a session; the prompt about leaving the page must appear once. */
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
