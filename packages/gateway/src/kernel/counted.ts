/** A number with its noun: `1 segment`, `2,000 segments`. */

/** `many`: the plural, if it is not `one` with an s. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
}
