/** Uploads a picture or another file to the gateway, which returns a URL for `mediaUrls`. */
import type { CallOptions } from './options.ts';
import { dataOf, type Transport, withQuery } from './transport.ts';

export interface UploadOptions extends CallOptions {
  /** Name of the file; its URL ends with it. The gateway detects the type only by content. */
  fileName?: string;
}

export interface UploadedMedia {
  mediaId: string;
  /** For `mediaUrls`. Anybody with it may read the file until it expires. */
  url: string;
  contentType: string;
  sizeBytes: number;
  /** ISO 8601. */
  expiresAt: string;
}

/** Each throws HeliographError. */
export interface MediaCalls {
  /** At most 5 MB of JPEG, PNG, GIF, WebP, MP4, 3GP, vCard, AMR or MP3. A retry only stores the same file again. */
  upload(bytes: Uint8Array | ArrayBuffer, options?: UploadOptions): Promise<UploadedMedia>;
}

export function mediaCalls(call: Transport): MediaCalls {
  return {
    upload: (bytes, { fileName, ...options } = {}) =>
      dataOf(
        call,
        {
          method: 'POST',
          path: withQuery('/api/v1/media', { fileName }),
          headers: { 'content-type': 'application/octet-stream' },
          body: new Uint8Array(bytes),
          repeatable: true,
        },
        options,
      ),
  };
}
