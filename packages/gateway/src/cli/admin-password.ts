/** Reads one password: the first line of stdin, or typed twice at the terminal without being shown. Keeps and logs nothing. */
import type { ReadStream } from 'node:tty';

export type PasswordInput = NodeJS.ReadableStream & Partial<Pick<ReadStream, 'isTTY' | 'setRawMode'>>;

const bytesMax = 4_096;

/** Null when no password was given, or the two typed ones differ. `show` prints the prompt. */
export async function readPassword(
  input: PasswordInput,
  fromStdin: boolean,
  show: (text: string) => void,
): Promise<string | null> {
  if (fromStdin) return firstLine(input);
  if (input.isTTY !== true || input.setRawMode === undefined) return null;
  const first = await typed(input, 'Password: ', show);
  if (first === null) return null;
  const second = await typed(input, 'Once more: ', show);
  if (second !== first) {
    show('The two are not the same.\n');
    return null;
  }
  return first;
}

async function firstLine(input: PasswordInput): Promise<string | null> {
  let text = '';
  for await (const chunk of input) {
    text += String(chunk);
    if (text.includes('\n') || text.length > bytesMax) break;
  }
  const [line = ''] = text.split(/\r?\n/);
  return line === '' ? null : line;
}

/** Raw mode echoes nothing; Ctrl+C and Ctrl+D arrive as characters. */
function typed(input: PasswordInput, prompt: string, show: (text: string) => void): Promise<string | null> {
  show(prompt);
  input.setRawMode!(true);
  input.resume();
  return new Promise((resolve) => {
    let text = '';
    const end = (result: string | null): void => {
      input.off('data', take);
      input.setRawMode!(false);
      input.pause();
      show('\n');
      resolve(result);
    };
    const take = (chunk: Buffer | string): void => {
      for (const character of String(chunk)) {
        if ('\r\n\u0003\u0004'.includes(character)) {
          end('\r\n'.includes(character) && text !== '' ? text : null);
          return;
        }
        text = character === '\u007f' || character === '\b' ? text.slice(0, -1) : text + character;
      }
    };
    input.on('data', take);
  });
}
