/**
 * A secret that cannot be printed by accident: string conversion, JSON, `util.inspect` and templates show a mark. Only
 * `reveal()` returns the value, and it is easy to search for.
 */

const mark = '[secret]';

export class Secret {
  readonly #value: string;

  constructor(value: string) {
    this.#value = value;
  }

  /** The value itself. Never pass the result to a logger, an error or an answer. */
  reveal(): string {
    return this.#value;
  }

  toString(): string {
    return mark;
  }

  toJSON(): string {
    return mark;
  }

  [Symbol.toPrimitive](): string {
    return mark;
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return mark;
  }
}
