/**
 * The secrets of a carrier's record, whatever its kind: which they are, and how they are opened for the one who dials.
 * '' is a secret that is not there and stays ''. Keeps nothing.
 */
import type { CarrierRecord } from '../domain/records.ts';
import type { Sealer } from '../sealing.ts';
import { opened } from './inbox-endpoint.ts';

/** The record with its secrets in plain, for its adapter alone. Throws SealingRefused when one does not open. */
export function unsealedCarrier(record: CarrierRecord, sealer: Sealer): CarrierRecord {
  const open = (sealed: string) => (sealed === '' ? '' : sealer.open(sealed));
  switch (record.kind) {
    case 'smpp':
      return { ...record, smpp: { ...record.smpp, password: open(record.smpp.password) } };
    case 'mm4':
      return { ...record, mm4: { ...record.mm4, password: open(record.mm4.password) } };
    case 'mm7': {
      const { password, clientKey, inbound } = record.mm7;
      const opened = { password: open(password), clientKey: open(clientKey) };
      return {
        ...record,
        mm7: { ...record.mm7, ...opened, inbound: { ...inbound, password: open(inbound.password) } },
      };
    }
  }
}

/** The sealed form differs each time, so an equal secret keeps the one on record, if that opens: that is no change. */
export function sealOrKeep(
  secret: string,
  sealed: string | undefined,
  { sealer, reseal }: { sealer: Sealer; reseal: boolean },
): string {
  if (secret === '') return '';
  const kept = sealed !== undefined && !reseal && opened(sealer, sealed) === secret;
  return kept ? sealed : sealer.seal(secret);
}
