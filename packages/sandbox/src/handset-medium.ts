/** How a handset lists one medium. */
import { createHash } from 'node:crypto';
import type { HandsetContent, HandsetMedium } from './handsets.ts';
import type { Ids } from './machine.ts';

export function mediumOf({ contentType, fileName, bytes }: HandsetContent, ids: Ids): HandsetMedium {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { mediaId: ids.next('hmd_'), contentType, fileName, sizeBytes: bytes.length, sha256, held: true };
}
