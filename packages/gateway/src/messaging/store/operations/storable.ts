/**
 * Makes carrier text storable on both engines: PostgreSQL text cannot hold NUL, and a receipt or reply must not be lost
 * because of it.
 */

/** The text with each NUL replaced by U+FFFD. */
export function storable<T extends string | null>(text: T): T {
  return (text?.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text) as T;
}
