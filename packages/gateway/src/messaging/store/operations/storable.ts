/**
 * Makes carrier text storable on both engines: PostgreSQL text cannot hold NUL, and that must not lose a receipt or a
 * reply.
 */

/** The text with each NUL shown as the replacement character U+FFFD. */
export function storable<T extends string | null>(text: T): T {
  return (text?.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text) as T;
}
