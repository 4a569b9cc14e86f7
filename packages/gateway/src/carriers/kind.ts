/**
 * What the rest of the gateway knows about a kind of carrier. A kind loads its protocol library only in `open`, so
 * `helio apply` and `helio --help` load none.
 */
import type { SegmentOptions } from '@heliograph/text';
import type { LoggedFields } from '../model/logged-pdu.ts';
import type { CarrierProfile, CarrierRecord, MessageKind } from '../model/records.ts';
import type { Carrier } from './carrier.ts';
import type { CarrierDeps } from './deps.ts';
import type { Setting } from './setting.ts';
import type { KindSimulator } from './simulated.ts';

export interface CarrierKind<R extends CarrierRecord = CarrierRecord, P extends CarrierProfile = CarrierProfile> {
  /**
   * Its name in records files, in records and in the API. The record stores the settings in a field of this name. Never
   * changes.
   */
  readonly name: R['kind'];
  /** Name for people, such as `SMPP 3.4`. */
  readonly title: string;
  /** What it carries and how, for people, such as `MMS over HTTP`. */
  readonly carries: string;
  readonly takes: readonly MessageKind[];
  readonly settings: readonly Setting[];
  /** Fills in settings that a record of an earlier version lacks, and settings that follow from others. */
  complete(profile: P): P;
  /** Settings that are allowed but deserve a warning, each as the end of a sentence about the carrier. */
  warnings(profile: P): string[];
  /**
   * Where the secrets go, and how strictly that is verified. When this text changes, a person must enter the secrets
   * again.
   */
  peer(profile: P): string;
  /** Host and port for people; null when these do not say enough. */
  address(profile: P): string | null;
  usesTls(profile: P): boolean;
  /** Whether the settings request receipts from the carrier. */
  asksForReceipts(profile: P): boolean;
  /** The port on which the adapter listens; null for none, or for any free port. */
  listensOn(profile: P): number | null;
  /** Whether the adapter listens for what the carrier sends. */
  readonly listens: boolean;
  /** Whether the carrier must present a certificate when it sends to us over HTTP. */
  asksForCertificate(profile: P): boolean;
  /** How it cuts a text into segments. */
  cut(profile: P): SegmentOptions;
  /** Paths that the carrier calls over HTTP: `POST /carriers/{carrierId}/{path}` for each. */
  readonly httpPaths: readonly string[];
  /**
   * The sandbox's carrier of this kind, without the simulator's address and credentials: these are new at each start.
   */
  readonly simulated?: R;
  /** How the sandbox runs its simulator. */
  readonly simulator?: KindSimulator;
  /** Loads the adapter. */
  open(): Promise<CarrierAdapter<R>>;
}

export interface CarrierAdapter<R extends CarrierRecord = CarrierRecord> {
  /** Creates the carrier without starting it. The record's secrets are in plain text. */
  create(record: R, deps: CarrierDeps): Carrier;
  /**
   * Connects, signs in, signs out, and reports each step up to the first that failed. Sends no message. Never rejects.
   */
  test(record: R, deps: CarrierDeps): Promise<ConnectionStep[]>;
  /**
   * The fields of one whole PDU, without texts; null when it cannot be read. Absent: the kind's wire format is not
   * binary.
   */
  fieldsOf?(octets: Buffer): LoggedFields | null;
}

export interface ConnectionStep {
  step: string;
  ok: boolean;
  /** The result, in the carrier's own words if it has any. */
  detail: string;
  tookMs: number;
}

/** Defaults of fields that most kinds do not need. */
export const plainKind = {
  complete: <P>(profile: P): P => profile,
  warnings: () => [],
  address: () => null,
  asksForReceipts: () => false,
  listens: false,
  listensOn: () => null,
  asksForCertificate: () => false,
  cut: () => ({}),
  httpPaths: [],
};
