/**
 * A secret value that cannot be printed by accident: string conversion, JSON, `util.inspect` and template literals all
 * show a mark instead of the value. The only way to the value is `reveal()`, which is easy to search for.
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
