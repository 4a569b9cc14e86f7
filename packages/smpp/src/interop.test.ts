/** Our client and server with the npm package smpp 0.5.1, an independent implementation, as the peer. */
import { createRequire } from 'node:module';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import type { Client } from './client-types.ts';
import type { PduOf } from './pdu.ts';
import { parseReceipt } from './receipt.ts';
import { receiptFields } from './receipt-write.ts';
import { createServer } from './server.ts';
import type { ServerSession } from './server-types.ts';
import type { InboundRequest, Outcome } from './session-types.ts';
import { tlv } from './tlvs.ts';

/** The part of the peer's untyped interface that these tests use. */
type PeerPdu = {
  command: string;
  command_status: number;
  response(options?: object): PeerPdu;
  [field: string]: unknown;
};
type PeerSession = {
  on(event: string, listener: (pdu: PeerPdu) => void): void;
  send(pdu: PeerPdu, onResponse?: (pdu: PeerPdu) => void): void;
  close(): void;
  destroy(): void;
} & { [command: string]: (options: object, onResponse?: (pdu: PeerPdu) => void) => void };
type PeerServer = {
  listen(port: number, host: string, onListening: () => void): void;
  close(): void;
  address(): { port: number };
};
type PeerModule = {
  createServer(onSession: (session: PeerSession) => void): PeerServer;
  connect(options: { host: string; port: number }, onConnect: () => void): PeerSession;
  PDU: new (command: string, options: object) => PeerPdu;
};

const require = createRequire(import.meta.url);
const peer = require('smpp') as PeerModule;

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const once = <T>() => Promise.withResolvers<T>();

describe('our client with their server', () => {
  const startPeer = async (onSession: (session: PeerSession) => void): Promise<number> => {
    const server = peer.createServer((session) => {
      cleanups.push(() => session.destroy());
      session.on('error', () => {});
      session.on('bind_transceiver', (pdu) => session.send(pdu.response({ system_id: 'peer' })));
      session.on('unbind', (pdu) => {
        session.send(pdu.response());
        session.close();
      });
      session.on('enquire_link', (pdu) => session.send(pdu.response()));
      onSession(session);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => server.close());
    return server.address().port;
  };

  const bind = async (port: number, onRequest: (request: InboundRequest) => void = () => {}): Promise<Client> => {
    const bound = once<void>();
    const client = createClient(
      { host: '127.0.0.1', port, bind: 'transceiver', system_id: 'esme', password: 'secret', tlvs: 'always' },
      { onBound: () => bound.resolve(), onRequest },
    );
    cleanups.push(() => client.stop({ drainMs: 100 }));
    client.start();
    await bound.promise;
    return client;
  };

  it('submits text, octets and TLVs, and gets its id', async () => {
    const seen: PeerPdu[] = [];
    const port = await startPeer((session) => {
      session.on('submit_sm', (pdu) => {
        seen.push(pdu);
        session.send(pdu.response({ message_id: '39f99dd5' }));
      });
    });
    const client = await bind(port);
    const settled = once<Outcome>();
    const fields = {
      source_addr_ton: 5,
      source_addr: 'HELIO',
      dest_addr_ton: 1,
      dest_addr_npi: 1,
      destination_addr: '15551230000',
      registered_delivery: 1,
      short_message: Buffer.from('Hello'),
      tlvs: [tlv('user_message_reference', 0x1234), tlv('sar_msg_ref_num', 7)],
    };
    client.submit(fields, settled.resolve);
    expect(await settled.promise).toMatchObject({
      kind: 'response',
      pdu: { command_status: 0, message_id: '39f99dd5' },
    });
    expect(seen[0]).toMatchObject({
      source_addr: 'HELIO',
      destination_addr: '15551230000',
      registered_delivery: 1,
      short_message: { message: 'Hello' },
      user_message_reference: 0x1234,
      sar_msg_ref_num: 7,
    });
  });

  it('accepts an error without its body', async () => {
    const port = await startPeer((session) => {
      session.on('submit_sm', (pdu) => session.send(pdu.response({ command_status: 0x58 })));
    });
    const client = await bind(port);
    const settled = once<Outcome>();
    client.submit({}, settled.resolve);
    expect(await settled.promise).toMatchObject({
      kind: 'response',
      pdu: { command: 'submit_sm_resp', command_status: 0x58 },
    });
  });

  it('reads its receipt, and its answer is understood', async () => {
    const answered = once<PeerPdu>();
    const port = await startPeer((session) => {
      session.on('submit_sm', (pdu) => {
        session.send(pdu.response({ message_id: '1' }));
        const short_message = Buffer.from(
          'id:1 sub:001 dlvrd:001 submit date:2611210214 done date:2611210214 stat:DELIVRD err:000 text:',
        );
        session.deliver_sm!(
          { esm_class: 4, short_message, message_state: 2, receipted_message_id: '1' },
          answered.resolve,
        );
      });
    });
    const receipt = once<InboundRequest>();
    const client = await bind(port, receipt.resolve);
    client.submit({}, () => {});
    const request = await receipt.promise;
    expect(parseReceipt(request.pdu as PduOf<'deliver_sm'>)).toMatchObject({ id: '1', state: 'DELIVERED' });
    request.respond(0);
    expect(await answered.promise).toMatchObject({ command: 'deliver_sm_resp', command_status: 0, message_id: '' });
  });

  it('unbinds', async () => {
    const port = await startPeer(() => {});
    const client = await bind(port);
    await client.stop();
    expect(client.state).toBe('stopped');
  });
});

describe('our server with their client', () => {
  const connect = async (onRequest: (request: InboundRequest, session: ServerSession) => void) => {
    const bound = once<ServerSession>();
    const server = createServer(
      { system_id: 'MC' },
      { authenticate: (pdu) => (pdu.password === 'secret' ? 0 : 0x0e), onRequest, onBound: bound.resolve },
    );
    const { port } = await server.listen(0);
    cleanups.push(() => server.close({ drainMs: 50 }));
    const connected = once<void>();
    const session = peer.connect({ host: '127.0.0.1', port }, () => connected.resolve());
    session.on('error', () => {});
    cleanups.push(() => session.destroy());
    await connected.promise;
    return { session, bound: bound.promise };
  };

  const call = (session: PeerSession, command: string, options: object): Promise<PeerPdu> =>
    new Promise((resolve) => session[command]!(options, resolve));

  it('binds, submits and is answered', async () => {
    const seen: InboundRequest[] = [];
    const { session } = await connect((request) => {
      seen.push(request);
      request.respond(0, { message_id: 'm-1' });
    });
    const credentials = { system_id: 'them', password: 'secret', interface_version: 0x34 };
    expect(await call(session, 'bind_transceiver', credentials)).toMatchObject({
      command_status: 0,
      system_id: 'MC',
      sc_interface_version: 0x34,
    });
    const options = { destination_addr: '15551230000', short_message: Buffer.from('Hello') };
    expect(await call(session, 'submit_sm', options)).toMatchObject({ command: 'submit_sm_resp', message_id: 'm-1' });
    expect(seen[0]!.pdu).toMatchObject({
      command: 'submit_sm',
      destination_addr: '15551230000',
      short_message: Buffer.from('Hello'),
    });
    expect(await call(session, 'enquire_link', {})).toMatchObject({ command: 'enquire_link_resp', command_status: 0 });
    expect(await call(session, 'unbind', {})).toMatchObject({ command: 'unbind_resp', command_status: 0 });
  });

  it('refuses a wrong password', async () => {
    const { session } = await connect(() => {});
    expect(await call(session, 'bind_receiver', { system_id: 'them', password: 'wrong' })).toMatchObject({
      command_status: 0x0e,
    });
  });

  it('sends a receipt that they read, and accepts their answer without a body', async () => {
    const { session, bound } = await connect(() => {});
    const got = once<PeerPdu>();
    session.on('deliver_sm', (pdu) => {
      got.resolve(pdu);
      session.send(pdu.response({ command_status: 0x08 }));
    });
    await call(session, 'bind_transceiver', { system_id: 'them', password: 'secret', interface_version: 0x34 });
    const date = new Date('2026-11-21T02:14:00Z');
    const fields = receiptFields(
      { source_addr: 'HELIO', destination_addr: '15551230000' },
      { id: 'm-1', state: 'DELIVERED', submitDate: date, doneDate: date },
    );
    const settled = once<Outcome>();
    (await bound).request('deliver_sm', fields, settled.resolve);
    expect(await got.promise).toMatchObject({
      esm_class: 4,
      source_addr: '15551230000',
      receipted_message_id: 'm-1',
      message_state: 2,
    });
    expect(await settled.promise).toMatchObject({
      kind: 'response',
      pdu: { command: 'deliver_sm_resp', command_status: 8 },
    });
  });
});
