/** The shape of a catalogue entry; `reason-texts-*.ts` have the entries. */

/** The catalogue's text of a code, without the code and its scope. */
export interface ReasonText {
  /** HTTP status of the answer; null for outcomes, which come after the answer. */
  httpStatus: number | null;
  /** The same request, unchanged, may succeed later. */
  retryable: boolean;
  /** Whether the message is billed: billing counts when a carrier took it (`sent`). */
  billed: 'no' | 'yes' | 'if_sent';
  /** False: reserved, not used yet. */
  issued: boolean;
  title: string;
  /** Possible causes, most likely first. */
  cause: readonly string[];
  /** What to do, in the same order. */
  fix: readonly string[];
}
