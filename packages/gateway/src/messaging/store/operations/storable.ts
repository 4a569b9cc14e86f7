/**
 * Text from carriers as both engines can hold it. PostgreSQL has no NUL in text; it must never be the reason why a receipt
 * or a reply cannot be kept.
 */

/** The text with each NUL shown as the replacement character U+FFFD. */
export function storable<T extends string | null>(text: T): T {
  return (text?.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text) as T;
}
