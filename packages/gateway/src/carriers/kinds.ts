/** The list of carrier kinds. To add one, write its folder and name it here. */
import type { SegmentOptions } from '@heliograph/text';
import { type CarrierRecord, type MessageKind, profileOf } from '../model/records.ts';
import type { CarrierKind } from './kind.ts';
import { mm4 } from './mm4/kind.ts';
import { mm7 } from './mm7/kind.ts';
import { smpp } from './smpp/kind.ts';

/** An entry of a records file that names no kind is of the first kind. */
export const carrierKinds: readonly CarrierKind[] = [smpp, mm7, mm4] as unknown as readonly CarrierKind[];

export const defaultKind = carrierKinds[0]!;

const byName = new Map(carrierKinds.map((kind) => [kind.name, kind]));

export const kindNames: readonly string[] = [...byName.keys()];

/** Kinds that the sandbox simulates; with `taking`, those that take this kind of message. */
export function simulatedKinds(taking?: MessageKind): readonly string[] {
  return carrierKinds
    .filter(({ simulated, takes }) => simulated !== undefined && (taking === undefined || takes.includes(taking)))
    .map(({ name }) => name);
}

/** Throws when this version does not know the record's kind: a later version wrote it. */
export function kindOf({ carrierId, kind }: Pick<CarrierRecord, 'carrierId' | 'kind'>): CarrierKind {
  const found = byName.get(kind);
  if (found === undefined) {
    throw new Error(`The carrier ${carrierId} is of the kind ${kind}, which this version does not know.`);
  }
  return found;
}

/** Undefined for an unknown name. */
export function kindNamed(name: unknown): CarrierKind | undefined {
  return byName.get(name as string);
}

/** The kinds of message that a carrier takes. */
export function takenBy(record: Pick<CarrierRecord, 'carrierId' | 'kind'>): readonly MessageKind[] {
  return kindOf(record).takes;
}

/** How these carriers cut a text into segments: each in its own way. */
export function cutsOf(carriers: readonly (CarrierRecord | undefined)[]): SegmentOptions[] {
  return carriers.map((carrier) => (carrier === undefined ? {} : kindOf(carrier).cut(profileOf(carrier))));
}
