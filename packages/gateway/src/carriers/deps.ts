/** Dependencies of every carrier adapter besides its record: clock, random, log, and a network that tests replace. */
import type { ClientMachine } from '@heliograph/smpp';
import type { Clock, Random } from '../kernel/clock.ts';
import type { Logger } from '../kernel/logger.ts';
import type { InboundMmsLimits } from '../model/inbound-limits.ts';
import type { RateShare } from './pace.ts';

export interface CarrierDeps {
  clock: Clock;
  random: Random;
  logger: Logger;
  /**
   * False while another node may have taken over: submissions that are not sent yet are then given back. Check right
   * before a message goes to the wire; absent = there is one node.
   */
  mayHandOver?(): boolean;
  /** Opens the connection in place of the machine's TCP or TLS. */
  connect?: ClientMachine['connect'];
  /**
   * The current PEM with which this gateway serves TLS; it may be renewed. An adapter that listens offers TLS with it.
   */
  tls?: { cert: string; key: string };
  /** Another node sends for this carrier: this one only receives, and connects only when it owes an answer. */
  takesOnly?: boolean;
  /** What cells lend each other of the carrier's rate; absent = the record's limit alone. */
  rateShare?: RateShare;
  /** Limits of multimedia messages from handsets; absent = the default limits. */
  inboundMms?: InboundMmsLimits;
}
