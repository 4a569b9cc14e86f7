/**
 * The commands of SMPP 3.4 and 5.0 as one table: id, who may send each, in which session states, and its body's fields.
 * A new command is one row here. Source: SMPP 3.4 issue 1.2 §2.3, §4 and §5.1.2; SMPP 5.0 §4.
 */
import { counted, cstring, destAddresses, type Field, octetsAtMost, u1, unsuccessSmes } from './field.ts';
import { status } from './status.ts';

/** Session states as bits, so that one row can name several. */
export const OPEN = 1;
export const TX = 2;
export const RX = 4;
export const TRX = 8;
const BOUND = TX | RX | TRX;

/** The bit that makes a command_id a response's. */
export const RESPONSE_BIT = 0x80000000;

/** Which end sends a request. */
export type Sender = 'esme' | 'mc' | 'both';

const request = <const F extends readonly Field[]>(
  command_id: number,
  from: Sender,
  states: number,
  fields: F,
  answered = true,
) => ({ command_id, from, states, fields, answered, bodyOnError: false });

/** Responses follow their request, so they carry no sender or state of their own. */
const response = <const F extends readonly Field[]>(command_id: number, fields: F, bodyOnError = false) => ({
  command_id: (command_id | RESPONSE_BIT) >>> 0,
  from: 'both' as Sender,
  states: OPEN | BOUND,
  fields,
  answered: false,
  bodyOnError,
});

const serviceType = cstring('service_type', 6, status.ESME_RINVSERTYP);
const messageId = cstring('message_id', 65, status.ESME_RINVMSGID);
const scheduleTime = cstring('schedule_delivery_time', 17, status.ESME_RINVSCHED);
const validityPeriod = cstring('validity_period', 17, status.ESME_RINVEXPIRY);
const source = (max: number) =>
  [u1('source_addr_ton'), u1('source_addr_npi'), cstring('source_addr', max, status.ESME_RINVSRCADR)] as const;
const destination = (max: number) =>
  [u1('dest_addr_ton'), u1('dest_addr_npi'), cstring('destination_addr', max, status.ESME_RINVDSTADR)] as const;

const none = [] as const;
const bind = [
  cstring('system_id', 16, status.ESME_RINVSYSID),
  cstring('password', 9, status.ESME_RINVPASWD),
  cstring('system_type', 13, status.ESME_RINVSYSTYP),
  u1('interface_version'),
  u1('addr_ton'),
  u1('addr_npi'),
  cstring('address_range', 41),
] as const;
const bindResp = [cstring('system_id', 16)] as const;
const messageIdOnly = [messageId] as const;
const messageFields = [
  u1('esm_class'),
  u1('protocol_id'),
  u1('priority_flag'),
  scheduleTime,
  validityPeriod,
  u1('registered_delivery'),
  u1('replace_if_present_flag'),
  u1('data_coding'),
  u1('sm_default_msg_id'),
  counted('short_message'),
] as const;
const message = [serviceType, ...source(21), ...destination(21), ...messageFields] as const;

export const commands = {
  generic_nack: response(0x00, none),
  bind_receiver: request(0x01, 'esme', OPEN, bind),
  bind_receiver_resp: response(0x01, bindResp),
  bind_transmitter: request(0x02, 'esme', OPEN, bind),
  bind_transmitter_resp: response(0x02, bindResp),
  query_sm: request(0x03, 'esme', TX | TRX, [messageId, ...source(21)]),
  query_sm_resp: response(0x03, [messageId, cstring('final_date', 17), u1('message_state'), u1('error_code')]),
  submit_sm: request(0x04, 'esme', TX | TRX, message),
  submit_sm_resp: response(0x04, messageIdOnly),
  deliver_sm: request(0x05, 'mc', RX | TRX, message),
  // The unused message_id is one NUL, even on errors: jsmpp and others throw at a bare header (3.4 §4.6.2).
  deliver_sm_resp: response(0x05, messageIdOnly, true),
  unbind: request(0x06, 'both', BOUND, none),
  unbind_resp: response(0x06, none),
  // 3.4 names only TX; 5.0 adds TRX.
  replace_sm: request(0x07, 'esme', TX | TRX, [
    messageId,
    ...source(21),
    scheduleTime,
    validityPeriod,
    u1('registered_delivery'),
    u1('sm_default_msg_id'),
    counted('short_message'),
  ]),
  replace_sm_resp: response(0x07, none),
  cancel_sm: request(0x08, 'esme', TX | TRX, [serviceType, messageId, ...source(21), ...destination(21)]),
  cancel_sm_resp: response(0x08, none),
  bind_transceiver: request(0x09, 'esme', OPEN, bind),
  bind_transceiver_resp: response(0x09, bindResp),
  outbind: request(
    0x0b,
    'mc',
    OPEN,
    [cstring('system_id', 16, status.ESME_RINVSYSID), cstring('password', 9, status.ESME_RINVPASWD)],
    false,
  ),
  // 5.0 allows it in any open state, and some ESMEs send it before they bind.
  enquire_link: request(0x15, 'both', OPEN | BOUND, none),
  enquire_link_resp: response(0x15, none),
  submit_multi: request(0x21, 'esme', TX | TRX, [
    serviceType,
    ...source(21),
    destAddresses('dest_addresses'),
    ...messageFields,
  ]),
  submit_multi_resp: response(0x21, [messageId, unsuccessSmes('unsuccess_smes')]),
  alert_notification: request(
    0x102,
    'mc',
    RX | TRX,
    [...source(65), u1('esme_addr_ton'), u1('esme_addr_npi'), cstring('esme_addr', 65)],
    false,
  ),
  data_sm: request(0x103, 'both', BOUND, [
    serviceType,
    ...source(65),
    ...destination(65),
    u1('esm_class'),
    u1('registered_delivery'),
    u1('data_coding'),
  ]),
  data_sm_resp: response(0x103, messageIdOnly),
  broadcast_sm: request(0x111, 'esme', TX | TRX, [
    serviceType,
    ...source(21),
    messageId,
    u1('priority_flag'),
    scheduleTime,
    validityPeriod,
    u1('replace_if_present_flag'),
    u1('data_coding'),
    u1('sm_default_msg_id'),
  ]),
  broadcast_sm_resp: response(0x111, messageIdOnly),
  query_broadcast_sm: request(0x112, 'esme', TX | TRX, [messageId, ...source(21)]),
  query_broadcast_sm_resp: response(0x112, messageIdOnly),
  cancel_broadcast_sm: request(0x113, 'esme', TX | TRX, [serviceType, messageId, ...source(21)]),
  cancel_broadcast_sm_resp: response(0x113, none),
} as const;

/** Every command's name, requests and responses. */
export type CommandName = keyof typeof commands;

/** The names of responses, generic_nack included. */
export type ResponseName = Extract<CommandName, `${string}_resp` | 'generic_nack'>;

/** The names of requests. */
export type RequestName = Exclude<CommandName, ResponseName>;

/** The requests that take no response. */
export type NoticeName = 'outbind' | 'alert_notification';

/** The three binds. */
export type BindName = 'bind_receiver' | 'bind_transmitter' | 'bind_transceiver';

/** The requests that a caller sends in a bound session and the peer answers. The session itself binds and unbinds. */
export type AnsweredName = Exclude<RequestName, NoticeName | BindName | 'unbind'>;

/** One command's row, with its types widened for code that serves all commands. */
export type Command = {
  name: CommandName;
  command_id: number;
  from: Sender;
  /** bit set of OPEN, TX, RX, TRX */
  states: number;
  fields: readonly Field[];
  /** a request that the peer answers; outbind and alert_notification are not */
  answered: boolean;
  /** a response whose fields are written even when command_status is not 0 */
  bodyOnError: boolean;
  /** the most octets of the mandatory fields when written */
  octetsMax: number;
};

const byId = new Map<number, Command>();
const byName = new Map<string, Command>();
for (const [name, row] of Object.entries(commands)) {
  const command: Command = Object.freeze({
    name: name as CommandName,
    ...row,
    octetsMax: octetsAtMost(row.fields),
  });
  byId.set(row.command_id, command);
  byName.set(name, command);
}

/** The row of a command_id, or undefined for one that neither 3.4 nor 5.0 defines. */
export const commandById = (command_id: number): Command | undefined => byId.get(command_id);

/** The row of a name. */
export const commandByName = (name: CommandName): Command => byName.get(name)!;

/** A response's command_id has bit 31 set. */
export const isResponseId = (command_id: number): boolean => command_id >= RESPONSE_BIT;
