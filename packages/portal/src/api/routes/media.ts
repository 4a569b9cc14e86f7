/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface UploadedMedium {
  mediaId: string;
  /** For `mediaUrls`. Anybody who has it can read the file until it expires. */
  url: string;
  /** Detected from the content of the file. */
  contentType: string;
  sizeBytes: number;
  expiresAt: string;
}

export interface MediaRoutes {
  'POST /media': {
    query: { fileName?: string | null };
    body: undefined;
    answer: UploadedMedium;
  };
}
