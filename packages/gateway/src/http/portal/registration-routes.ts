/** Numbers, brands and campaigns: the routes of all three, as they are handed to the portal. */
import { type BrandRouteParts, brandRoutes } from './brand-routes.ts';
import { type CampaignRouteParts, campaignRoutes } from './campaign-routes.ts';
import { type NumberRouteParts, numberRoutes } from './number-routes.ts';
import type { PortalModule } from './portal.ts';

export function registrationRoutes(parts: NumberRouteParts & CampaignRouteParts & BrandRouteParts): PortalModule[] {
  return [numberRoutes(parts), brandRoutes(parts), campaignRoutes(parts)];
}
