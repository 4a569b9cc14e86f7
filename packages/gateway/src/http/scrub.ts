/** Redacts secrets and numbers from errors before they are logged: libraries and our own code may quote their input. */

const mark = '[secret]';
const pathCharactersMax = 120;

/** A path that is safe to log: short, with numbers, credentials and look-alikes masked. */
export function safePath(path: string, secrets: readonly string[]): string {
  // Mask before cutting: half a secret would not be recognised.
  const masked = scrub(path, secrets).replace(/\d{7,}/g, (digits) => `${digits.slice(0, 4)}…`);
  return masked.length <= pathCharactersMax ? masked : `${masked.slice(0, pathCharactersMax)}…`;
}

/** The loggable part of anything thrown. `secrets` are values of this request that must not appear. */
export function safeError(
  thrown: unknown,
  secrets: readonly string[],
): { name: string; message: string; stack: string } {
  const error = thrown instanceof Error ? thrown : new Error(typeof thrown === 'string' ? thrown : 'not an Error');
  return {
    name: error.name,
    message: scrub(error.message, secrets).slice(0, 500),
    stack: scrub(error.stack ?? '', secrets).slice(0, 4_000),
  };
}

/** `text` with `secrets`, and anything that looks like one, replaced by a mark. */
export function scrub(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, mark);
  return clean
    .replace(/(apikey=)[^&\s"'`]*/gi, `$1${mark}`)
    .replace(/(bearer\s+)[^\s"'`,]+/gi, `$1${mark}`)
    .replace(/\b(?:bt|at)_[0-9A-Za-z_]{8,}/g, mark);
}
