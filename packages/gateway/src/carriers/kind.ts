/**
 * What the rest of the gateway knows about a kind of carrier. A kind loads its protocol library only in `open`, so
 * `helio apply` and `helio --help` load none.
 */
import type { PduWords } from '../model/pdu-words.ts';
import type { CarrierProfile, CarrierRecord, MessageKind } from '../model/records.ts';
import type { Carrier } from './carrier.ts';
import type { CarrierDeps } from './deps.ts';
import type { Setting } from './setting.ts';
import type { KindSimulator } from './simulated.ts';

export interface CarrierKind<R extends CarrierRecord = CarrierRecord, P extends CarrierProfile = CarrierProfile> {
  /** In records files, on record and in the API; the settings stand on record in the field of this name. Never changes. */
  readonly name: R['kind'];
  /** For people, such as `SMPP 3.4`. */
  readonly title: string;
  /** For people, what it carries and how, such as `MMS over HTTP`. */
  readonly carries: string;
  readonly takes: readonly MessageKind[];
  readonly settings: readonly Setting[];
  /** Fills in what a record of an earlier version lacks, and what follows from other settings. */
  complete(profile: P): P;
  /** What the settings allow and a person should know, each as the end of a sentence about the carrier. */
  warnings(profile: P): string[];
  /** Where the secrets go, and how well that is checked: another text, and the secrets must be written again. */
  peer(profile: P): string;
  /** Host and port for people; null where there is more to say than that. */
  address(profile: P): string | null;
  usesTls(profile: P): boolean;
  /** Whether the settings ask the carrier for receipts. */
  asksForReceipts(profile: P): boolean;
  /** The port on which it listens itself; null for none, or any free one. */
  listensOn(profile: P): number | null;
  /** Whether it listens itself for what the carrier sends. */
  readonly listens: boolean;
  /** Whether the carrier must show a certificate when it sends to us over HTTP. */
  asksForCertificate(profile: P): boolean;
  /** National languages in whose tables a text may be written. */
  languages(profile: P): readonly string[];
  /** What the carrier calls over HTTP: `POST /carriers/{carrierId}/{path}` for each. */
  readonly httpPaths: readonly string[];
  /** The carrier of this kind in the sandbox, but for where the simulator listens and its credentials: they are new at each start. */
  readonly simulated?: R;
  /** How the sandbox runs it. */
  readonly simulator?: KindSimulator;
  /** Loads the adapter. */
  open(): Promise<CarrierAdapter<R>>;
}

export interface CarrierAdapter<R extends CarrierRecord = CarrierRecord> {
  /** Starts nothing. The record's secrets are in plain. */
  create(record: R, deps: CarrierDeps): Carrier;
  /** Opens, signs in, says goodbye, and reports each step up to the first that failed. Sends no message. Never rejects. */
  test(record: R, deps: CarrierDeps): Promise<ConnectionStep[]>;
  /** What one whole message of its wire says, field by field, without texts; null where it cannot be read. Absent: it is no octets. */
  fieldsOf?(octets: Buffer): PduWords | null;
}

export interface ConnectionStep {
  step: string;
  ok: boolean;
  /** What came of it, in the carrier's own words where it has any. */
  detail: string;
  tookMs: number;
}

/** What most kinds have none of. */
export const plainKind = {
  complete: <P>(profile: P): P => profile,
  warnings: () => [],
  address: () => null,
  asksForReceipts: () => false,
  listens: false,
  listensOn: () => null,
  asksForCertificate: () => false,
  languages: () => [],
  httpPaths: [],
};
