/** A secret on the only line of a file that a setting names. */
import { readFileSync } from 'node:fs';
import { counted } from './counted.ts';
import { exposedMode } from './private-file.ts';
import { Secret } from './secret.ts';

interface SecretLine {
  variable: string;
  file: string;
  /** Names it in the sentence that refuses another content. */
  what: string;
  charactersMin: number;
  /** Spaces within it are allowed, those around it left out. */
  spaced?: true;
}

/** `refused` makes an error of that sentence. */
export function readSecretLine(
  { variable, file, what, charactersMin, spaced }: SecretLine,
  refused: (sentence: string) => Error,
): Secret {
  const mode = exposedMode(file);
  if (mode !== null) {
    throw refused(`${variable}=${file} is open to everybody (mode ${mode}). Run: chmod 640 ${file}`);
  }
  const line = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  const secret = spaced ? line.trim() : line;
  if (!(spaced ? /^[ -~]+$/ : /^[!-~]+$/).test(secret) || secret.length < charactersMin) {
    throw refused(
      `${variable}=${file} holds no ${what}: it must be one line of at least ${counted(charactersMin, 'printable ASCII character')}${spaced ? '' : ' without spaces'}.`,
    );
  }
  return new Secret(secret);
}
