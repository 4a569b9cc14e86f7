/** Redacts secrets and numbers from errors before they are logged: libraries and our own code may quote their input. */

const mark = '[secret]';
const pathCharactersMax = 120;
/** Text that is encoded more often is replaced as a whole. */
const decodingsMax = 5;

/** A path that is safe to log: short, with numbers, credentials and look-alikes masked. */
export function safePath(path: string, secrets: readonly string[]): string {
  // Mask before cutting: half a secret would not be recognised.
  const masked = maskNumbers(scrub(path, secrets));
  return masked.length <= pathCharactersMax ? masked : `${masked.slice(0, pathCharactersMax)}…`;
}

/** A path without a number in any encoding stays as it is. */
function maskNumbers(path: string): string {
  let shown = path;
  let plain = path;
  for (let level = 0; level <= decodingsMax; level++) {
    if (/\d{7}/.test(plain)) shown = plain;
    plain = decodeAscii(plain);
  }
  return shown.replace(/\d{7,}/g, (digits) => `${digits.slice(0, 4)}…`);
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

/**
 * `text` with `secrets`, and anything that looks like one, replaced by a mark, however often it is percent-encoded:
 * whoever reads a log can decode it too. Stays encoded where there is nothing to mask.
 */
export function scrub(text: string, secrets: readonly string[]): string {
  let shown = text;
  let plain = text;
  for (let level = 0; level <= decodingsMax; level++) {
    const masked = maskSecrets(plain, secrets);
    if (masked !== plain) shown = masked;
    plain = decodeAscii(masked);
    if (plain === masked) return shown;
  }
  return mark;
}

/** A secret ends where its characters end, whether or not these are encoded. */
function maskSecrets(text: string, secrets: readonly string[]): string {
  let clean = text;
  for (const secret of secrets) if (secret !== '') clean = clean.replaceAll(secret, mark);
  return clean
    .replace(/(apikey(?:\[\w{0,9}\])?=)[^&\s"'`]*/gi, `$1${mark}`)
    .replace(/(bearer\s+)[^\s"'`,]+/gi, `$1${mark}`)
    .replace(/(?:bt|at)_(?:sbx_)?[0-9a-z]{10}_[0-9a-z%]+|\b(?:bt|at)_[\w%]{8,}/gi, mark);
}

/** Secrets and numbers are ASCII. Broken encodings, and all other characters, stay as they are. */
function decodeAscii(text: string): string {
  return text.includes('%')
    ? text.replace(/%([0-7][0-9a-f])/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    : text;
}
