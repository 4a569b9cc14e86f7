/** The doors of media: uploading one, and giving it out under its signed URL. */
import type { RouteModule } from '../../http/server.ts';
import { type MediaDownloadParts, mediaDownloadRoute } from './media-download.ts';
import { type MediaUploadParts, mediaUploadRoute } from './media-upload.ts';

export function mediaRoutes(parts: MediaUploadParts & MediaDownloadParts): RouteModule {
  return (app, deps) => {
    mediaUploadRoute(parts, deps);
    mediaDownloadRoute(app, parts, deps);
  };
}
