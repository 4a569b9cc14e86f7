/**
 * The built portal in memory: every servable file by exact path, read once at start, so no request ever reads the disk.
 * Excludes source maps, dot files, links and unknown types.
 */
import { hash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { brotliDecompressSync, gzipSync } from 'node:zlib';

export interface PageFile {
  /** As it was built. */
  bytes(): Buffer;
  contentType: string;
  /** The name changes with the content, so browsers may cache it for ever. */
  hashed: boolean;
  etag: string;
  /** Null when compression does not pay. */
  gzip(): Buffer | null;
  /** As the build packed it; null where it did not. Only this is in memory then: a quarter of all. */
  brotli: Buffer | null;
}

export interface PageFiles {
  /** `index.html` as it was built. */
  index: string;
  /** By path with a slash in front, such as `/assets/index-BpZ1x0aa.js`. */
  files: ReadonlyMap<string, PageFile>;
}

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  json: 'application/json',
  txt: 'text/plain; charset=utf-8',
  webmanifest: 'application/manifest+json',
  ico: 'image/x-icon',
  png: 'image/png',
  jpg: 'image/jpeg',
  webp: 'image/webp',
  woff2: 'font/woff2',
};
const compressed = /^text\/|json|svg|manifest/;
/** As Vite names them: a dash and 8 characters before the extension. */
const hashedName = /^\/assets\/.*-[A-Za-z0-9_-]{8}\.\w+$/;
const filesMax = 2_000;
const fileBytesMax = 10 * 1024 * 1024;
const smallBytes = 1_024;

/** If a new build replaces the files meanwhile, it is done within a few of these reads. */
const readsMax = 5;

/** Null when the folder has no built portal. If files disappear during the read, it starts again. */
export function readPageFiles(folder: string, disk: PageDisk = realDisk): PageFiles | null {
  for (let read = 1; ; read++) {
    try {
      return readOnce(folder, disk);
    } catch (error) {
      const missing = (error as NodeJS.ErrnoException).code === 'ENOENT' ? (error as NodeJS.ErrnoException).path : null;
      if (missing == null) throw error;
      if (read === readsMax) {
        const what = `The pages of the portal cannot be read: ${missing} is not there any more.`;
        throw new Error(`${what} Start again when nothing builds them, or build them once more.`, { cause: error });
      }
      disk.wait(pauseMs);
    }
  }
}

const pauseMs = 200;

/** Reads the pages while the gateway starts, and waits when a new build is replacing them. */
export interface PageDisk {
  read(place: string): Buffer;
  /** Blocks the thread: nothing else runs yet. */
  wait(ms: number): void;
}

const realDisk: PageDisk = {
  read: (place) => readFileSync(place),
  wait: (ms) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms),
};

function readOnce(folder: string, disk: PageDisk): PageFiles | null {
  const indexFile = join(folder, 'index.html');
  if (!existsSync(indexFile)) return null;
  const index = disk.read(indexFile).toString('utf8');
  const files = new Map<string, PageFile>();
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (files.size >= filesMax) break;
    const place = join(entry.parentPath, entry.name);
    const path = `/${relative(folder, place).split(sep).join('/')}`;
    const contentType = types[/\.(\w+)$/.exec(entry.name)?.[1] ?? ''];
    if (!entry.isFile() || contentType === undefined || /\/\./.test(path) || path === '/index.html') continue;
    if (statSync(place).size > fileBytesMax) continue;
    const brotli = existsSync(`${place}.br`) ? disk.read(`${place}.br`) : null;
    files.set(
      path,
      brotli === null ? pageFile(path, disk.read(place), contentType) : packedFile(path, brotli, contentType),
    );
  }
  return { index, files };
}

export function pageFile(path: string, bytes: Buffer, contentType: string): PageFile {
  return fileOf(path, contentType, { held: bytes, bytes: () => bytes, brotli: null });
}

function packedFile(path: string, brotli: Buffer, contentType: string): PageFile {
  return fileOf(path, contentType, { held: brotli, bytes: () => brotliDecompressSync(brotli), brotli });
}

function fileOf(
  path: string,
  contentType: string,
  { held, bytes, brotli }: Pick<PageFile, 'bytes' | 'brotli'> & { held: Buffer },
): PageFile {
  let packed: Buffer | null | undefined;
  return {
    bytes,
    contentType,
    brotli,
    hashed: hashedName.test(path),
    etag: `"${hash('sha256', held, 'base64url').slice(0, 22)}"`,
    gzip: () => {
      if (packed !== undefined) return packed;
      const plain = bytes();
      packed = plain.length >= smallBytes && compressed.test(contentType) ? gzipSync(plain, { level: 9 }) : null;
      return packed;
    },
  };
}
