/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface UploadedMedium {
  mediaId: string;
  /** For `mediaUrls`. Whoever has it may read the file until it expires. */
  url: string;
  /** By the content of the file. */
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
