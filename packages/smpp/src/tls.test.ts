/** TLS: optional, verified by default, and no octet of a bind reaches an unverified peer. */
import { createServer as createNetServer } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import type { Client, ClientTls, Failure } from './client-types.ts';
import { createServer } from './server.ts';
import { caCertificate, certificate, certificateKey, expiredCertificate } from './tls-samples.ts';

const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

let client: Client;

/** The result of `client`: bound, or its failure. */
const fare = (port: number, tls: boolean | ClientTls): Promise<'bound' | Failure> => {
  const { promise, resolve } = Promise.withResolvers<'bound' | Failure>();
  client = createClient(
    {
      host: '127.0.0.1',
      port,
      tls,
      bind: 'transceiver',
      system_id: 'esme',
      password: 'canary7',
      connectTimeoutMs: 2_000,
    },
    { onBound: () => resolve('bound'), onFailure: (failure) => resolve(failure) },
  );
  const opened = client;
  cleanups.push(() => opened.stop({ drainMs: 10 }));
  client.start();
  return promise;
};

const startServer = async (cert: string): Promise<{ port: number; passwords: string[] }> => {
  const passwords: string[] = [];
  const authenticate = (bind: { password: string }): number => {
    passwords.push(bind.password);
    return 0;
  };
  const server = createServer(
    { system_id: 'MC', tls: { cert, key: certificateKey } },
    { authenticate, onRequest: () => {} },
  );
  const { port } = await server.listen(0);
  cleanups.push(() => server.close({ drainMs: 10 }));
  return { port, passwords };
};

describe('a client over TLS', () => {
  it('binds to the server whose name its certificate has', async () => {
    const { port, passwords } = await startServer(certificate);
    expect(await fare(port, { ca: caCertificate, servername: 'smsc.example' })).toBe('bound');
    expect(passwords).toEqual(['canary7']);
  });

  it('shows the peer’s certificate while it is connected, and no longer', async () => {
    const { port } = await startServer(certificate);
    await fare(port, { ca: caCertificate, servername: 'smsc.example' });
    expect(client.peerCertificate?.subjectAltName).toBe('DNS:smsc.example');
    await client.stop({ drainMs: 10 });
    expect(client.peerCertificate).toBeUndefined();
    const plain = createServer({ system_id: 'MC' }, { authenticate: () => 0, onRequest: () => {} });
    cleanups.push(() => plain.close({ drainMs: 10 }));
    expect(await fare((await plain.listen(0)).port, false)).toBe('bound');
    expect(client.peerCertificate).toBeUndefined();
  });

  it.each([
    ['an expired certificate', expiredCertificate, { ca: caCertificate, servername: 'smsc.example' }],
    ['another name', certificate, { ca: caCertificate, servername: 'other.example' }],
    ['no name, only an address', certificate, { ca: caCertificate }],
    ['an unknown authority', certificate, { servername: 'smsc.example' }],
  ])('refuses %s, and says no word to it', async (_, cert, tls) => {
    const { port, passwords } = await startServer(cert);
    const failure = await fare(port, tls);
    expect(failure).toMatchObject({ kind: 'connect_failed', detail: expect.stringMatching(/certificate/i) });
    expect(JSON.stringify(failure)).not.toContain('--use-system-ca');
    expect(passwords).toEqual([]);
  });

  it('accepts any certificate when set so', async () => {
    const { port } = await startServer(expiredCertificate);
    expect(await fare(port, { rejectUnauthorized: false })).toBe('bound');
  });

  it('sends nothing to a plain server', async () => {
    const received: Buffer[] = [];
    const listener = createNetServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (bytes: Buffer) => {
        received.push(bytes);
        socket.end(Buffer.from([0, 0, 0, 16, 0x80, 0, 0, 9, 0, 0, 0, 0, 0, 0, 0, 1]));
      });
    });
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve));
    cleanups.push(() => listener.close());
    const { port } = listener.address() as { port: number };
    expect(await fare(port, true)).toMatchObject({ kind: 'connect_failed' });
    expect(Buffer.concat(received).includes('canary')).toBe(false);
  });

  it('a plain client gets nothing from a TLS server', async () => {
    const { port, passwords } = await startServer(certificate);
    expect(await fare(port, false)).not.toBe('bound');
    expect(passwords).toEqual([]);
  });
});
