/** The shape of a catalogue entry; `reason-texts-*.ts` have the entries. */

/** What the catalogue says of a code, without the code itself and its scope. */
export interface ReasonText {
  /** Of the answer that carries it; null for outcomes, which come after the answer. */
  httpStatus: number | null;
  /** The same request, unchanged, may succeed later. */
  retryable: boolean;
  /** Whether the message is billed: billing counts when a carrier took it (`sent`). */
  billed: 'no' | 'yes' | 'if_sent';
  /** False: reserved; nothing issues it yet. */
  issued: boolean;
  title: string;
  /** How it comes about, most likely first. */
  cause: readonly string[];
  /** What to do, in the same order. */
  fix: readonly string[];
}
