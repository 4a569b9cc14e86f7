/**
 * Documents that prove a brand's or campaign's data: a letter, a screenshot, an e-mail. The type is determined by
 * content, and only types that cannot execute are stored. Pure.
 */
import type { EpochMs } from '../kernel/clock.ts';

export const evidenceLimits = { bytesMax: 5 * 1024 * 1024, perRecord: 50, fileNameCharacters: 120 } as const;

const types = {
  pdf: 'application/pdf',
  png: 'image/png',
  jpg: 'image/jpeg',
  txt: 'text/plain; charset=utf-8',
} as const;
export type EvidenceType = (typeof types)[keyof typeof types];

/** The bytes are stored separately, under their hash. */
export interface Evidence {
  /** `evd_…` */
  evidenceId: string;
  hash: string;
  fileName: string;
  type: EvidenceType;
  sizeBytes: number;
  at: EpochMs;
  /** Who uploaded it, for people to read. */
  who: string;
}

/** Null: not an accepted type. Plain text is UTF-8 without control characters, such as a saved e-mail. */
export function evidenceType(bytes: Uint8Array): EvidenceType | null {
  const begins = (...first: number[]): boolean => first.every((byte, at) => bytes[at] === byte);
  if (begins(0x25, 0x50, 0x44, 0x46, 0x2d)) return types.pdf;
  if (begins(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a)) return types.png;
  if (begins(0xff, 0xd8, 0xff)) return types.jpg;
  return bytes.length > 0 && isPlainText(bytes) ? types.txt : null;
}

function isPlainText(bytes: Uint8Array): boolean {
  try {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the check is for control characters
    return !/[\u0000-\u0008\u000e-\u001f\u007f]/.test(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return false;
  }
}

/** A name of safe characters with the extension of its type, whatever it was called. */
export function evidenceFileName(name: string, type: EvidenceType): string {
  const ending = Object.entries(types).find(([, value]) => value === type)![0];
  const bare = name
    .normalize('NFKD')
    .replace(/\.[^.]*$/, '')
    .replace(/[^A-Za-z0-9._-]+/g, ' ')
    .replace(/^[. ]+|\.{2,}|[. ]+$/g, '')
    .slice(0, evidenceLimits.fileNameCharacters);
  return `${bare === '' ? 'evidence' : bare}.${ending}`;
}
