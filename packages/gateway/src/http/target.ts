/** The target of a request (RFC 9112 §3.2), taken apart. Its query string holds a secret: never print or throw any of it. */
import { parseQuery, type Query } from './input.ts';

export class Target {
  /** As it came. */
  readonly url: string;
  readonly path: string;
  /** Without the question mark. */
  readonly queryText: string;
  #query: Query | null = null;

  constructor(url: string) {
    this.url = url;
    const target = originForm(url);
    const mark = target.indexOf('?');
    this.path = mark === -1 ? target : target.slice(0, mark);
    this.queryText = mark === -1 ? '' : target.slice(mark + 1);
  }

  get query(): Query {
    this.#query ??= parseQuery(this.queryText);
    return this.#query;
  }
}

/** Turns `http://host/path`, the form for a proxy (RFC 9112 §3.2.2), into `/path`. */
function originForm(url: string): string {
  return url.startsWith('/') ? url : url.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
}
