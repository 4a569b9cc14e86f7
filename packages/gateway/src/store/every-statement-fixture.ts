/**
 * Every statement that the store's modules export, found in their files: a new one is tested without being listed. Those
 * of the migrations run once.
 */
import { globSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Statement } from './query.ts';

const sources = join(import.meta.dirname, '..');

/** Among what a file exports. */
export function statementsIn(value: unknown): Statement[] {
  if (value === null || typeof value !== 'object') return [];
  if ('sql' in value) return [value as Statement];
  return Object.values(value).flatMap(statementsIn);
}

/** By name. */
export async function everyStatement(): Promise<Statement[]> {
  const files = globSync(['{messaging,subjects/*}/store/**/*.ts', 'store/system/*.ts'], { cwd: sources }).filter(
    (file) => !/(\.test|-fixture)\.ts$/.test(file),
  );
  const found = new Map<string, Statement>();
  for (const file of files.sort()) {
    const exported = (await import(pathToFileURL(join(sources, file)).href)) as object;
    for (const one of statementsIn({ ...exported })) {
      if ((found.get(one.name) ?? one) !== one) throw new Error(`two statements are named ${one.name}`);
      found.set(one.name, one);
    }
  }
  return [...found.values()];
}
