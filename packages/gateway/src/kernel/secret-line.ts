/** A secret on the only line of a file that a setting names. */
import { readFileSync } from 'node:fs';
import { exposedMode } from './private-file.ts';
import { Secret } from './secret.ts';

/** `what` names it in the sentence that refuses another content, which `refused` makes an error of. */
export function readSecretLine(
  { variable, file, what, charactersMin }: { variable: string; file: string; what: string; charactersMin: number },
  refused: (sentence: string) => Error,
): Secret {
  const mode = exposedMode(file);
  if (mode !== null) {
    throw refused(`${variable}=${file} is open to everybody (mode ${mode}). Run: chmod 640 ${file}`);
  }
  const secret = readFileSync(file, 'utf8').replace(/\r?\n$/, '');
  if (!/^[!-~]+$/.test(secret) || secret.length < charactersMin) {
    throw refused(
      `${variable}=${file} holds no ${what}: it must be one line of at least ${charactersMin} printable ASCII characters without spaces.`,
    );
  }
  return new Secret(secret);
}
