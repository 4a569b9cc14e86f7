/** Media routes: upload, and download under signed URLs. */
import type { RouteModule } from '../../http/server.ts';
import { type MediaDownloadParts, mediaDownloadRoute } from './media-download.ts';
import { type MediaUploadParts, mediaUploadRoute } from './media-upload.ts';

export function mediaRoutes(parts: MediaUploadParts & MediaDownloadParts): RouteModule {
  return (app, deps) => {
    mediaUploadRoute(parts, deps);
    mediaDownloadRoute(app, parts, deps);
  };
}
