/**
 * Queries of the handset pages. Growing lists are fetched from their last entry on, and keep the objects of known entries: a
 * row whose entry is the same object is not rendered again. Structural sharing is off because it compares by place: once the oldest
 * entries are dropped it would copy every entry.
 */
import { type QueryClient, queryOptions } from '@tanstack/react-query';
import { api } from '../../api/client';
import type { HandsetMessage, WireEntry } from './handsets';

/** Entries kept on the page; the sandbox may have more. */
const shownMax = 500;
const pagesMax = 20;
/** Somebody else may turn faults on. */
const faultsEveryMs = 15_000;
/** Binds change without an event. */
const linksEveryMs = 3_000;
/** Traffic of the link itself belongs to no handset and causes no event. */
const wireEveryMs = 5_000;

export const handsetsQuery = queryOptions({
  queryKey: ['handsets', 'list'],
  queryFn: async () => (await api.get('/sandbox/handsets')).data,
});

/** The known entries, the same objects, and those after them: `ask` returns the page after an id. */
async function grown<T extends { id: string }>(
  known: T[],
  ask: (after: string | undefined) => Promise<{ data: T[]; next?: string | null }>,
): Promise<T[]> {
  let rows = known;
  for (let page = 0; page < pagesMax; page++) {
    const { data, next } = await ask(rows.at(-1)?.id);
    if (data.length > 0) rows = [...rows, ...data].slice(-shownMax);
    if (next == null) break;
  }
  return rows;
}

export interface Talk {
  received: HandsetMessage[];
  sent: HandsetMessage[];
}

export const talkQuery = (client: QueryClient, number: string) =>
  queryOptions({
    queryKey: ['handset', 'talk', number],
    queryFn: async ({ queryKey }): Promise<Talk> => {
      const known = client.getQueryData<Talk>(queryKey) ?? { received: [], sent: [] };
      const [received, sent] = await Promise.all([
        grown(known.received, (after) => api.get('/sandbox/handsets/:number/messages', { number, query: { after } })),
        grown(known.sent, (after) => api.get('/sandbox/handsets/:number/sent', { number, query: { after } })),
      ]);
      return received === known.received && sent === known.sent ? known : { received, sent };
    },
    structuralSharing: false,
  });

export const wireQuery = (client: QueryClient, number: string) =>
  queryOptions({
    queryKey: ['handset', 'wire', number],
    queryFn: ({ queryKey }) =>
      grown(client.getQueryData<WireEntry[]>(queryKey) ?? [], (after) =>
        api.get('/sandbox/wire', { query: { number, after } }),
      ),
    refetchInterval: wireEveryMs,
    structuralSharing: false,
  });

export const behaviourQuery = (number: string) =>
  queryOptions({
    queryKey: ['behaviour', number],
    queryFn: async () => (await api.get('/sandbox/handsets/:number/behaviour', { number })).data,
  });

/** Where the simulated carrier listens, for as long as this gateway runs. */
export const carrierQuery = queryOptions({
  queryKey: ['sandbox-carrier'],
  queryFn: async () => (await api.get('/sandbox/carrier')).data,
  staleTime: Number.POSITIVE_INFINITY,
});

export const faultsQuery = queryOptions({
  queryKey: ['sandbox-faults'],
  queryFn: async () => (await api.get('/sandbox/faults')).data,
  refetchInterval: faultsEveryMs,
});

/** How many SMPP links to the simulated carrier are up. Fetched while binds are refused: only then it is shown. */
export const linksUpQuery = queryOptions({
  queryKey: ['sandbox-links'],
  queryFn: async () => {
    const { binds } = (await api.get('/sandbox/carrier')).data;
    return binds.filter((state) => state.startsWith('bound_')).length;
  },
  refetchInterval: linksEveryMs,
});
