/** Writes the SMPP PDUs of the sandbox into the wire log, and passes them on unchanged. */
import {
  digitsOf,
  encodePdu,
  type InboundRequest,
  type Outcome,
  type PduInput,
  type PduOf,
  readContent,
  type SmFields,
  statusName,
} from '@heliograph/smpp';
import type { DeliverSm } from './deliver.ts';
import { noPair, type WireListener, type WirePair } from './said.ts';

type SubmitSm = PduOf<'submit_sm'>;

export interface SmppWire {
  /** The same request, with its answer logged too. */
  submitted(request: InboundRequest<SubmitSm>): InboundRequest<SubmitSm>;
  delivered(sequence_number: number, fields: DeliverSm): void;
  deliverAnswered(sequence_number: number, fields: DeliverSm, outcome: Outcome): void;
  /** Logs a bind, without its password, and its answer. */
  bound(command: string, sequence_number: number, command_status: number): void;
  dropped(sessions: number): void;
}

export function createSmppWire(log: WireListener): SmppWire {
  const toCarrier = { link: 'smpp', direction: 'to_carrier' } as const;
  const toGateway = { link: 'smpp', direction: 'to_gateway' } as const;

  return {
    submitted: (request) => {
      const { pdu } = request;
      const pair = { own: digitsOf(pdu.source_addr), handset: digitsOf(pdu.destination_addr) };
      const sequence = String(pdu.sequence_number);
      log.add({ ...toCarrier, command: pdu.command, sequence, ...pair, ...contentOf(pdu), bytes: octets(pdu) });
      return {
        pdu,
        respond: (command_status, fields) => {
          const answered = request.respond(command_status, fields);
          const messageId = fields !== undefined && 'message_id' in fields ? (fields.message_id ?? null) : null;
          const command = 'submit_sm_resp';
          const { sequence_number } = pdu;
          const bytes = octets({ command, command_status, sequence_number, message_id: messageId ?? '' });
          const what = { command, sequence, status: statusName(command_status), messageId, bytes };
          if (answered) log.add({ ...toGateway, ...what, ...pair });
          return answered;
        },
      };
    },
    delivered: (sequence_number, fields) => {
      const pdu = { command: 'deliver_sm', command_status: 0, sequence_number, ...fields } as const;
      const what = {
        command: pdu.command,
        sequence: String(sequence_number),
        ...deliveredContent(fields),
        ...pairOf(fields),
      };
      log.add({ ...toGateway, ...what, bytes: octets(pdu) });
    },
    deliverAnswered: (sequence_number, fields, outcome) => {
      const sequence = String(sequence_number);
      const command = 'deliver_sm_resp';
      if (outcome.kind !== 'response') {
        log.add({ ...toCarrier, command, sequence, status: `none: ${outcome.detail}`, ...pairOf(fields) });
        return;
      }
      const { command_status } = outcome.pdu;
      const bytes = octets({ command, command_status, sequence_number });
      log.add({ ...toCarrier, command, sequence, status: statusName(command_status), ...pairOf(fields), bytes });
    },
    bound: (command, sequence_number, command_status) => {
      const sequence = String(sequence_number);
      log.add({ ...toCarrier, command, sequence, ...noPair });
      log.add({ ...toGateway, command: `${command}_resp`, sequence, status: statusName(command_status), ...noPair });
    },
    dropped: (sessions) => {
      if (sessions > 0) log.add({ ...toGateway, command: 'connection closed', ...noPair });
    },
  };
}

function octets(pdu: PduInput): Buffer | undefined {
  const written = encodePdu(pdu);
  return Buffer.isBuffer(written) ? written : undefined;
}

function pairOf({ source_addr = '', destination_addr = '' }: DeliverSm): WirePair {
  return { own: digitsOf(destination_addr), handset: digitsOf(source_addr) };
}

function contentOf(sm: SmFields) {
  const { data_coding, esm_class } = sm;
  return { data_coding, esm_class, text: readContent(sm, 'gsm').text };
}

/** SMPP 3.4 §5.2.12, bits 5–2: 0001 = a receipt of the MC. */
const typeBits = 0x3c;
const receiptType = 0x04;

function deliveredContent({ esm_class = 0, data_coding = 0, short_message = new Uint8Array() }: DeliverSm) {
  if ((esm_class & typeBits) !== receiptType) return contentOf({ esm_class, data_coding, short_message, tlvs: [] });
  const text = Buffer.from(short_message).toString('latin1');
  return { esm_class, data_coding, text, messageId: /^id:(\S+)/.exec(text)?.[1] ?? null };
}
