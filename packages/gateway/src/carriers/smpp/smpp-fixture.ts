/** A scripted SMPP carrier on loopback, and a record that points to it. */
import {
  createServer,
  type InboundRequest,
  type Outcome,
  type PduFields,
  type PduOf,
  readContent,
  receiptFields,
  type ServerSession,
  status,
  textToParts,
} from '@heliograph/smpp';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { type MovedClock, movedClock } from '../../../../../test/props/clock.ts';
import { silentLogger } from '../../kernel/logger.ts';
import type { CarrierUnderTest, PeerAnswered, PeerSubmit, ScriptedPeer } from '../carrier.contract.ts';
import { loadAdapters } from '../carrier-fixture.ts';
import type { SmppCarrierRecord, SmppProfile } from './profile.ts';

const openCarrier = await loadAdapters();

export interface SmppPeerSubmit extends PeerSubmit {
  pdu: PduOf<'submit_sm'>;
  session: ServerSession;
  answer(command_status: number, message_id?: string): void;
}

export interface SmppPeer extends ScriptedPeer {
  readonly submits: SmppPeerSubmit[];
  readonly sessions: ReadonlySet<ServerSession>;
  /** The status of its bind responses; 0 accepts. */
  bindStatus: number;
  binds: number;
  deliver(fields: PduFields<'deliver_sm'>): PeerAnswered;
}

const refusals = { never: status.ESME_RINVDSTADR, later: status.ESME_RSYSERR, throttled: status.ESME_RTHROTTLED };

async function startSmppPeer(clock: MovedClock) {
  const submits: SmppPeerSubmit[] = [];
  const server = createServer(
    { system_id: 'PEER', window: 1_000, inboundWindow: 10_000, responseTimeoutMs: 3_600_000, enquireLinkMs: 0 },
    {
      authenticate: () => {
        peer.binds++;
        return peer.bindStatus;
      },
      onRequest: (request, session) => {
        submits.push(peerSubmit(request, session));
      },
    },
    { clock: { nowMs: () => clock.monotonicMs(), setTimer: (fire, delayMs) => clock.after(delayMs, fire) } },
  );

  function deliver(fields: PduFields<'deliver_sm'>): PeerAnswered {
    const session = [...server.sessions].find(({ bind }) => bind !== 'bind_transmitter');
    if (session === undefined) throw new Error('nobody can receive');
    let outcome: Outcome | null = null;
    session.request('deliver_sm', fields, (settled) => {
      outcome = settled;
    });
    return () => (outcome === null ? null : answeredAs(outcome));
  }

  const peer: SmppPeer = {
    submits,
    sessions: server.sessions,
    bindStatus: 0,
    binds: 0,
    connected: () => [...server.sessions].filter(({ bind }) => bind !== 'bind_receiver').length,
    deliver,
    receipt: ({ carrierMessageId, from, to }, state) =>
      deliver(
        receiptFields(
          { source_addr: from, destination_addr: to },
          {
            id: carrierMessageId,
            state: state === 'delivered' ? 'DELIVERED' : 'UNDELIVERABLE',
            submitDate: new Date(clock.now()),
            doneDate: new Date(clock.now()),
          },
        ),
      ),
    text: (from, to, text) => {
      const [part] = textToParts(text, 0, { longMessage: 'udh8', defaultAlphabet: 'gsm' })!.parts;
      const { data_coding, short_message } = part!;
      return deliver({ source_addr: from, destination_addr: to, data_coding, short_message });
    },
    drop: () => {
      for (const session of server.sessions) session.destroy();
    },
    // A cut session is noticed at once, but bound again only after some time.
    away: async () => peer.drop(),
    back: async () => {},
  };
  const { port } = await server.listen(0, '127.0.0.1');
  return { peer, port, close: () => server.close({ drainMs: 0 }) };
}

function peerSubmit(request: InboundRequest, session: ServerSession): SmppPeerSubmit {
  const { pdu } = request;
  if (pdu.command !== 'submit_sm') throw new Error(`unexpected ${pdu.command}`);
  const answer = (command_status: number, message_id = ''): void => {
    request.respond(command_status, { message_id });
  };
  return {
    pdu,
    session,
    from: pdu.source_addr,
    to: pdu.destination_addr,
    text: readContent(pdu, 'gsm').text,
    answer,
    accept: (carrierMessageId) => answer(status.ESME_ROK, carrierMessageId),
    refuse: (how) => answer(refusals[how]),
  };
}

function answeredAs(outcome: Outcome): ReturnType<PeerAnswered> {
  if (outcome.kind !== 'response') return 'refused';
  const { command_status } = outcome.pdu;
  if (command_status === status.ESME_ROK) return 'taken';
  return command_status === status.ESME_RMSGQFUL || command_status === status.ESME_RSYSERR ? 'again_later' : 'refused';
}

export function smppRecord(port: number, profile: Partial<SmppProfile> = {}): SmppCarrierRecord {
  return {
    carrierId: 'car_test',
    environment: 'live',
    name: 'Test carrier',
    kind: 'smpp',
    enabled: true,
    smpp: {
      host: '127.0.0.1',
      port,
      tls: false,
      tlsVerify: true,
      system_id: 'ESME',
      password: 'secret',
      system_type: '',
      bindMode: 'transceiver',
      binds: 1,
      window: 10,
      messagesPerSecond: 0,
      source_addr_ton: 1,
      source_addr_npi: 1,
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      idBase: 'auto',
      longMessage: 'udh8',
      defaultAlphabet: 'gsm',
      registered_delivery: true,
      responseTimeoutMs: 30_000,
      enquireLinkMs: 0,
      interface_version: 0x34,
      ...profile,
    },
  };
}

export interface SmppUnderTest extends CarrierUnderTest {
  peer: SmppPeer;
  record: SmppCarrierRecord;
}

export async function openSmpp(
  profile: Partial<SmppProfile> = {},
  more: Partial<SmppCarrierRecord> = {},
): Promise<SmppUnderTest> {
  const clock = movedClock();
  const lease = { isHeld: true };
  const { peer, port, close } = await startSmppPeer(clock);
  const record = { ...smppRecord(port, profile), ...more };
  const carrier = openCarrier(record, {
    clock,
    mayHandOver: () => lease.isHeld,
    random: steadyRandom(),
    logger: silentLogger,
  });
  return {
    carrier,
    peer,
    record,
    clock,
    lease,
    responseTimeoutMs: record.smpp.responseTimeoutMs,
    close: async () => {
      peer.drop();
      await carrier.stop(0);
      const closed = close();
      clock.pass(60_000);
      await closed;
    },
  };
}
