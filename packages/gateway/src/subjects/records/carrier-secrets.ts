/** Opens a carrier's secrets for its adapter, and seals them again only when they changed. */
import { withCarrierSecrets } from '../../carriers/settings.ts';
import type { SealedPlace } from '../../kernel/sealed-place.ts';
import { opened, type Sealer } from '../../kernel/sealing.ts';
import type { CarrierRecord } from '../../model/records.ts';

/** The record with its secrets in plain text, only for its adapter. Throws SealingRefused when one does not open. */
export function unsealedCarrier(record: CarrierRecord, sealer: Pick<Sealer, 'open'>): CarrierRecord {
  return withCarrierSecrets(record, (sealed, place) => sealer.open(sealed, place));
}

/**
 * Sealing gives a different form each time, so an equal secret keeps its stored form if that opens: it is not a change.
 */
export function sealOrKeep(
  secret: string,
  sealed: string | undefined,
  place: SealedPlace,
  { sealer, reseal }: { sealer: Sealer; reseal: boolean },
): string {
  if (secret === '') return '';
  const kept = sealed !== undefined && !reseal && opened(sealer, sealed, place) === secret;
  return kept ? sealed : sealer.seal(secret, place);
}
