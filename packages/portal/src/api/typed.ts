/**
 * Paths, parameters, queries, bodies and answers of the gateway's routes, as types. They come from the gateway's own
 * records, so that a page can neither call a missing path nor read a missing field.
 */
import type { Routes } from './routes';

export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Paths with parameters as `:name`. */
export type PathOf<M extends Method> = keyof Routes extends infer K ? (K extends `${M} ${infer P}` ? P : never) : never;

type RouteOf<M extends Method, P extends string> = Routes[`${M} ${P}` & keyof Routes];
export type AnswerOf<M extends Method, P extends string> = RouteOf<M, P>['answer'];
export type BodyOf<M extends Method, P extends string> = RouteOf<M, P>['body'];

type ParametersOf<P extends string> = P extends `${string}:${infer Name}/${infer Rest}`
  ? { [K in Name]: string } & ParametersOf<`/${Rest}`>
  : P extends `${string}:${infer Name}`
    ? { [K in Name]: string }
    : unknown;

type Value = string | number | boolean | null | undefined;

/** The parameters of the path, and the query parameters that are set. */
export type At<M extends Method, P extends string> = ParametersOf<P> & {
  query?: { [K in keyof RouteOf<M, P>['query']]?: Value };
};

/** Optional where the path has no parameter. */
export type AtArguments<M extends Method, P extends string> =
  ParametersOf<P> extends Record<string, string> ? [at: At<M, P>] : [at?: At<M, P>];

/** The path with its parameters filled in, and the query. */
export function placed(path: string, at?: Readonly<Record<string, unknown>>): string {
  if (at === undefined) return path;
  const filled = path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(at[name])));
  return `${filled}${query((at.query ?? {}) as Readonly<Record<string, Value>>)}`;
}

/** A query string of the values that are set; '' when none is. */
export function query(values: Readonly<Record<string, Value>>): string {
  const set = Object.entries(values).filter(([, value]) => value !== null && value !== undefined && value !== '');
  return set.length === 0 ? '' : `?${new URLSearchParams(set.map(([name, value]) => [name, String(value)]))}`;
}
