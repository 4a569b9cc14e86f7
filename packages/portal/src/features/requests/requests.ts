/** Logged API calls, and requests rebuilt from a redacted body. */
import { useQuery } from '@tanstack/react-query';
import { api } from '../../api/client';

/** '' in any of them: no filter. */
export interface RequestFilter {
  q: string;
  status: string;
  reason: string;
  key: string;
  period: string;
}

export const periodMs = { minutes: 15 * 60_000, hour: 3_600_000, day: 86_400_000 } as const;
export type Period = keyof typeof periodMs;

export function isPeriod(text: string): text is Period {
  return Object.hasOwn(periodMs, text);
}

/** The filter in the gateway's form; a period ends now. */
export function paramsOf({ period, ...rest }: RequestFilter) {
  return { ...rest, since: isPeriod(period) ? new Date(Date.now() - periodMs[period]).toISOString() : '' };
}

export function useRequests(filter: RequestFilter, before: string) {
  return useQuery({
    queryKey: ['requests', filter, before],
    queryFn: async () => {
      const { data, next } = await api.get('/requests', { query: { ...paramsOf(filter), before } });
      return { ...data, next: next ?? null };
    },
  });
}

const lengthForm = /^(.+)Length$/;
const countForm = /^(.+)Count$/;

interface Refilled {
  body: unknown;
  /** Texts that are no longer there. */
  texts: number;
  /** A list was cut. */
  isCut: boolean;
}

/** The body as it was sent, with `fill` in place of a text. */
export function refilled(redacted: string, fill: (length: number) => string): Refilled {
  const tally = { texts: 0, isCut: false };
  function whole(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(whole);
    if (typeof value !== 'object' || value === null) return value;
    const fields = value as Record<string, unknown>;
    const kept = Object.entries(fields).flatMap(([name, field]): [string, unknown][] => {
      const of = lengthForm.exec(name)?.[1];
      if (of !== undefined && fields[of] === null) return [];
      if (countForm.test(name) && Array.isArray(fields[countForm.exec(name)![1]!])) {
        tally.isCut = true;
        return [];
      }
      const length = fields[`${name}Length`];
      if (field !== null || typeof length !== 'number') return [[name, whole(field)]];
      tally.texts++;
      return [[name, fill(length)]];
    });
    return Object.fromEntries(kept);
  }
  const body = whole(JSON.parse(redacted));
  return { body, ...tally };
}
