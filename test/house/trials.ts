/**
 * The trial patches in `trials/`: typical changes of a newcomer. They are applied to a copy of the checkout and
 * type-checked there, which reveals an outdated patch, and their files are counted. Needs git; cleans up.
 */
import { type ExecFileException, execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative } from 'node:path';

export interface Trial {
  /** The patch's file name without its ending. */
  name: string;
  /** Files that a person changes or adds, without tests. */
  changed: string[];
  added: string[];
  /** Why the patch no longer applies and how to renew it; null when it applies. */
  problem: string | null;
}

const folder = join(import.meta.dirname, 'trials');
/** Files that `npm run goldens` writes say so at their top. */
export const isGenerated = (text: string): boolean => /^\/\*\*.*Written by `npm run goldens`/.test(text);
const isTest = (path: string) => /\.test\.tsx?$|fixture\.tsx?$|\/contract\/|^test\//.test(path);
/** The files that the type check reads. */
const copied = ['packages', 'test', 'bench', 'package.json', 'tsconfig.json', 'vitest.config.ts'];
const skipped = /(^|\/)(node_modules|dist)(\/|$)/;
const outputCharactersMax = 3_000;

/** File names of the patches, in order. */
export function patchNames(): string[] {
  const names = readdirSync(folder).filter((name) => name.endsWith('.patch'));
  if (names.length === 0) throw new Error(`${folder} holds no patch.`);
  return names.sort();
}

/**
 * Tries all of them in one copy, which is type-checked once, or only whether they `apply`. When something is wrong there,
 * each is tried in a copy of its own, which tells whose fault it is.
 */
export async function tryPatches(
  checkout: string,
  names: readonly string[],
  goal: 'apply' | 'compile',
): Promise<Trial[]> {
  const together = await tryTogether(checkout, names, goal);
  if (together.every(({ problem }) => problem === null)) return together;
  const trials: Trial[] = [];
  for (const name of names) trials.push(...(await tryTogether(checkout, [name], goal)));
  return trials;
}

async function tryTogether(checkout: string, names: readonly string[], goal: 'apply' | 'compile'): Promise<Trial[]> {
  const trials = names
    .map((name) => join(folder, name))
    .map((patch) => ({ patch, ...filesOf(readFileSync(patch, 'utf8')) }));
  const copy = mkdtempSync(join(tmpdir(), 'heliograph-house-'));
  try {
    copyCheckout(checkout, copy);
    let fault: string | null = null;
    for (const { patch } of trials) fault ??= await apply(patch, copy);
    const files = trials.flatMap(({ changed, added }) => [...changed, ...added]);
    if (goal === 'compile') fault ??= await checkTypes(copy, files);
    const isWritten = (path: string) =>
      existsSync(join(copy, path)) && isGenerated(readFileSync(join(copy, path), 'utf8'));
    const own = (path: string) => !isTest(path) && !isWritten(path);
    return trials.map(({ patch, changed, added }) => ({
      name: basename(patch, '.patch'),
      changed: changed.filter(own),
      added: added.filter(own),
      problem: fault === null ? null : `${relative(checkout, patch)} ${fault}\n${renewal(relative(checkout, patch))}`,
    }));
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

function filesOf(patch: string): { changed: string[]; added: string[] } {
  const files = [...patch.matchAll(/^--- (.+)\n\+\+\+ b\/(.+)$/gm)].map(([, from, to]) => ({ from, to: to! }));
  return {
    changed: files.filter(({ from }) => from !== '/dev/null').map(({ to }) => to),
    added: files.filter(({ from }) => from === '/dev/null').map(({ to }) => to),
  };
}

/** Copies the sources and links the installed packages; our packages link to the copy. */
function copyCheckout(checkout: string, copy: string): void {
  for (const name of copied) {
    const filter = (path: string) => !skipped.test(relative(checkout, path));
    cpSync(join(checkout, name), join(copy, name), { recursive: true, filter });
  }
  for (const folder of ['.', ...readdirSync(join(checkout, 'packages')).map((name) => join('packages', name))]) {
    linkInstalled(join(checkout, folder, 'node_modules'), join(copy, folder, 'node_modules'));
  }
}

function linkInstalled(from: string, to: string): void {
  if (!existsSync(from)) return;
  mkdirSync(to, { recursive: true });
  for (const name of readdirSync(from)) {
    // npm's relative workspace links then lead to the packages of the copy.
    if (name === '@heliograph') cpSync(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true });
    else symlinkSync(join(from, name), join(to, name));
  }
}

async function apply(patch: string, copy: string): Promise<string | null> {
  const { fault, output } = await runIn(copy, 'git', ['apply', '-C1', patch]);
  if (fault?.code === 'ENOENT') return 'was not tried: the command git is missing.';
  return fault === null ? null : `no longer applies:\n${output}`;
}

async function checkTypes(copy: string, files: readonly string[]): Promise<string | null> {
  const projects = ['.', ...(files.some((path) => path.startsWith('packages/portal/')) ? ['packages/portal'] : [])];
  for (const project of projects) {
    const command = [join(copy, 'node_modules/typescript/bin/tsc'), '--noEmit', '-p', project];
    const { fault, output } = await runIn(copy, process.execPath, command);
    if (fault !== null) return `applies, but no longer compiles:\n${output}`;
  }
  return null;
}

function runIn(copy: string, command: string, args: readonly string[]) {
  // Git must not take the copy for part of a repository above it.
  const env = { ...process.env, GIT_CEILING_DIRECTORIES: dirname(copy) };
  return new Promise<{ fault: ExecFileException | null; output: string }>((resolve) => {
    execFile(command, args, { cwd: copy, env }, (fault, stdout, stderr) =>
      resolve({ fault, output: (stdout + stderr).slice(0, outputCharactersMax) }),
    );
  });
}

function renewal(patch: string): string {
  return `To renew it, with all of your own work committed:
  git apply --reject ${patch}
Make by hand what the .rej files hold and delete them. When \`npm run types\` passes:
  git add -N packages && git diff -U2 --output=${patch} packages
  git reset --quiet packages && git restore packages && git clean -fd packages
The last line takes the change itself out again.`;
}
