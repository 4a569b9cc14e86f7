/**
 * The desk of evidence: keeps a file beside a brand or a campaign, and gives it back. The bytes are on disk before the
 * record names them; a file of another company is not there. It judges nothing that stands in a file.
 */
import { type Evidence, evidenceFileName, evidenceLimits, evidenceType } from '../../domain/evidence.ts';
import type { MediaFiles } from '../../domain/media.ts';
import type { Campaign } from '../../domain/records.ts';
import type { Brand } from '../../domain/registration.ts';
import type { Person, Refusal } from '../people/people-parts.ts';
import { createEdits, type EditOutcome, type Made, type RegistrationParts } from './edits.ts';

export type EvidenceFiles = Pick<MediaFiles, 'put' | 'read'>;

export interface NewEvidence {
  fileName: string;
  bytes: Uint8Array;
}

/** Why a file was not kept. */
export type EvidenceRefused = { kind: 'refused'; why: 'type' | 'full' | 'disk' };

export interface EvidenceDesk {
  /** To a brand of the person's own company. */
  addToBrand(person: Person, brandId: string, file: NewEvidence): Promise<EditOutcome<Brand> | EvidenceRefused>;
  /** To a campaign of any company, by the operator. */
  addToCampaign(
    person: Person,
    campaignId: string,
    file: NewEvidence,
  ): Promise<EditOutcome<Campaign> | EvidenceRefused>;
  /** Null when the record has no such file, or the disk has lost it. */
  read(record: WithEvidence, evidenceId: string): Promise<{ evidence: Evidence; bytes: Buffer } | null>;
}

interface WithEvidence {
  evidence?: Evidence[];
}

const missing: Refusal = { kind: 'missing', detail: 'There is no such brand or campaign.' };

export function createEvidenceDesk(parts: RegistrationParts, files: EvidenceFiles): EvidenceDesk {
  const edits = createEdits(parts);

  async function keep(
    person: Person,
    before: WithEvidence,
    { fileName, bytes }: NewEvidence,
  ): Promise<Evidence | EvidenceRefused> {
    if ((before.evidence ?? []).length >= evidenceLimits.perRecord) return { kind: 'refused', why: 'full' };
    const type = evidenceType(bytes);
    if (type === null) return { kind: 'refused', why: 'type' };
    const put = await files.put(bytes);
    if (!put.ok) return { kind: 'refused', why: 'disk' };
    return {
      ...{ evidenceId: parts.ids.next('evd_'), hash: put.hash, fileName: evidenceFileName(fileName, type), type },
      ...{ sizeBytes: bytes.length, at: parts.clock.now(), who: person.user.name || person.user.email },
    };
  }

  return {
    addToBrand: async (person, brandId, file) => {
      const own = (): Brand | undefined => {
        const brand = parts.directory().brand(brandId);
        return brand?.accountId === person.user.accountId ? brand : undefined;
      };
      const found = own();
      if (found === undefined) return missing;
      const kept = await keep(person, found, file);
      return 'kind' in kept
        ? kept
        : edits.edit('brands', person, () => withEvidence(own(), kept, 'brand.evidence', brandId));
    },
    addToCampaign: async (person, campaignId, file) => {
      const found = parts.directory().campaign(campaignId);
      if (found === undefined) return missing;
      const kept = await keep(person, found, file);
      return 'kind' in kept
        ? kept
        : edits.edit('campaigns', person, (directory) =>
            withEvidence(directory.campaign(campaignId), kept, 'campaign.evidence', campaignId),
          );
    },
    read: async ({ evidence = [] }, evidenceId) => {
      const found = evidence.find((one) => one.evidenceId === evidenceId);
      const bytes = found === undefined ? null : await files.read(found.hash);
      return found === undefined || bytes === null ? null : { evidence: found, bytes };
    },
  };
}

function withEvidence<T extends WithEvidence>(
  before: T | undefined,
  evidence: Evidence,
  what: string,
  target: string,
): Made<T> {
  if (before === undefined) return missing;
  const record = { ...before, evidence: [...(before.evidence ?? []), evidence] };
  return { kind: 'made', record, before, what, target };
}
