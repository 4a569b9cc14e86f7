/** The routes of numbers, brands and campaigns. */
import type { PortalModule } from '../../http/portal/portal.ts';
import { type BrandRouteParts, brandRoutes } from './brand-routes.ts';
import { type CampaignRouteParts, campaignRoutes } from './campaign-routes.ts';
import { createEvidenceService, type EvidenceFiles } from './evidence.ts';
import { type NumberRouteParts, numberRoutes } from './number-routes.ts';

type Given = NumberRouteParts & Omit<CampaignRouteParts & BrandRouteParts, 'evidence'> & { evidence: EvidenceFiles };

export function registrationRoutes(given: Given): PortalModule[] {
  const parts = { ...given, evidence: createEvidenceService(given, given.evidence) };
  return [numberRoutes(parts), brandRoutes(parts), campaignRoutes(parts)];
}
