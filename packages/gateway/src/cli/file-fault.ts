/** What a person does about a file or folder that the system refuses to this user, or that cannot be used. */
import { startCommand } from '../kernel/start-command.ts';

const unusable = new Set(['EPERM', 'EROFS', 'ENOSPC', 'ENOTDIR', 'EEXIST', 'ENAMETOOLONG']);
const changes = /^(mkdir|rmdir|rename|link|symlink|unlink|rm|chmod|chown|copyfile|ftruncate|write)$/;

/** One sentence or two; null for an error that is not about a file. */
export function fileFault(error: unknown): string | null {
  const { code = '', path, syscall = '' } = (error ?? {}) as NodeJS.ErrnoException;
  if (path === undefined) return null;
  if (code === 'EACCES') {
    const what = changes.test(syscall) ? 'changed' : 'read';
    return `${path} cannot be ${what} by this user (EACCES). Run the command as the user of the gateway, or name another data folder with HELIO_DATA.`;
  }
  // A file that is missing is a bug of the caller; a folder that cannot be made lies where the system makes none.
  if (!unusable.has(code) && !(code === 'ENOENT' && syscall === 'mkdir')) return null;
  return `${path} cannot be used (${code}). Choose another data folder: HELIO_DATA=./data ${startCommand}`;
}
