/** Lists of the gateway, fetched page by page as needed. */
import type { CallOptions } from './options.ts';
import { type Transport, withQuery } from './transport.ts';

export type Query = Readonly<Record<string, string | number | null | undefined>>;

export const pageSizeDefault = 100;

/** Every entry of the list at `path`; `cursor` is the parameter for the previous page's `next`. */
export async function* pages<T>(
  call: Transport,
  path: string,
  query: Query,
  options: CallOptions,
  cursor: 'before' | 'after' = 'before',
): AsyncGenerator<T, void, void> {
  for (let position: Query = {}; ; ) {
    const paged = withQuery(path, { ...query, ...position });
    const { envelope } = await call({ method: 'GET', path: paged, repeatable: true }, options);
    yield* envelope.data as T[];
    if (typeof envelope.next !== 'string') return;
    position = { [cursor]: envelope.next };
  }
}
