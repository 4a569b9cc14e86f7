/** How a handset lists one medium. */
import { createHash } from 'node:crypto';
import type { Ids } from '../../domain/ids.ts';
import type { HandsetContent, HandsetMedium } from '../../domain/sandbox.ts';

export function mediumOf({ contentType, fileName, bytes }: HandsetContent, ids: Ids): HandsetMedium {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  return { mediaId: ids.next('hmd_'), contentType, fileName, sizeBytes: bytes.length, sha256, held: true };
}
