import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { makeFolder } from './make-folder.ts';

let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'helio-make-'));
  return () => rmSync(root, { recursive: true });
});

const codeOf = (path: string) => {
  try {
    makeFolder(path);
    return null;
  } catch (error) {
    const { code, path: at } = error as NodeJS.ErrnoException;
    return [code, at];
  }
};

describe('makeFolder', () => {
  it('makes what is missing for its owner alone, and leaves what is there', () => {
    mkdirSync(join(root, 'there'), { mode: 0o755 });
    makeFolder(join(root, 'there', 'a', 'b'));
    const modes = ['there', 'there/a', 'there/a/b'].map((name) => statSync(join(root, name)).mode & 0o777);
    expect(modes).toEqual([0o755, 0o700, 0o700]);
    makeFolder(join(root, 'there', 'a', 'b'));
    symlinkSync(join(root, 'there'), join(root, 'link'));
    makeFolder(join(root, 'link'));
    makeFolder(join(root, 'link', 'c'));
    expect(existsSync(join(root, 'there', 'c'))).toBe(true);
  });

  it('names a file in its way', () => {
    const file = join(root, 'file');
    writeFileSync(file, '');
    expect(codeOf(file)).toEqual(['EEXIST', file]);
    expect(codeOf(join(file, 'a', 'b'))).toEqual(['ENOTDIR', join(file, 'a')]);
  });

  // With Node's own `recursive` this never ends.
  it.runIf(process.platform === 'linux')('ends where the system makes no folder', () => {
    expect(codeOf('/proc/helio')).toEqual(['ENOENT', '/proc/helio']);
    expect(codeOf('/proc/helio/data')).toEqual(['ENOENT', '/proc/helio']);
  });
});
