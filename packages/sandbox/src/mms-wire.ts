/** Writes the MM7 and MM4 traffic of the sandbox into the wire log. */

import { type Mm4Message, type Mm7Message, type Mm7Written, type MmsMessage, textOf } from '@heliograph/mms';
import { digitsOf } from '@heliograph/smpp';
import { noPair, type Said, type WireListener, type WirePair } from './said.ts';

export interface MmsWire {
  sent(
    direction: Said['direction'],
    message: Mm7Message | Mm7Written | Mm4Message,
    pair: WirePair,
    bytes?: Uint8Array,
  ): void;
  /** An answer outside the protocol: HTTP's or SMTP's. */
  answered(direction: Said['direction'], command: string, status: string, pair: WirePair): void;
}

export function createMmsWire(log: WireListener, link: 'mm7' | 'mm4'): MmsWire {
  return {
    sent: (direction, message, pair, bytes) => {
      log.add({
        link,
        direction,
        command: message.type,
        sequence: message.transactionId || null,
        status: statusOf(message),
        messageId: messageIdOf(message),
        text: textIn(message),
        ...pair,
        ...(bytes !== undefined && { bytes }),
      });
    },
    answered: (direction, command, status, pair) => log.add({ link, direction, command, status, ...pair }),
  };
}

/** For a message that the gateway sent, to any handset. */
export function pairOfSubmitted(message: object, handset: string | null): WirePair {
  const own = 'message' in message ? digitsOf((message.message as MmsMessage).from) : null;
  return own === null || handset === null ? noPair : { own, handset: digitsOf(handset) };
}

function statusOf(message: object): string | null {
  if ('status' in message) return String((message.status as { code: number }).code);
  return 'requestStatus' in message ? String(message.requestStatus) : null;
}

function messageIdOf(message: object): string | null {
  return 'messageId' in message ? String(message.messageId) || null : null;
}

function textIn(message: object): string | null {
  if ('mmStatus' in message) return `MM-Status ${message.mmStatus}`;
  return 'message' in message ? textOf((message.message as MmsMessage).parts) : null;
}
