/** Failures that are not bugs: each has its exit code and ends with the next step; a bug passes unchanged. */
import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { CertificateRefused } from '../app/certificate.ts';
import { SsoRefused } from '../app/oidc-client.ts';
import { SealingRefused } from '../kernel/sealing.ts';
import { StoreRefused, StoreUnavailable } from '../store/faults.ts';
import { StoreDamaged } from '../store/store-damaged.ts';
import { RecordsRefused } from '../subjects/records/apply.ts';
import { describeFailure, portHolder } from './failure.ts';

const config = { port: 8088, host: '127.0.0.1', dataDir: '/nowhere/data' };

function systemError(fields: object): Error {
  return Object.assign(new Error('failed'), fields);
}

async function listenError(port: number, host: string): Promise<unknown> {
  const server = createServer().listen(port, host);
  const [error] = await Promise.race([once(server, 'error'), once(server, 'listening')]);
  server.close();
  return error;
}

describe('describeFailure', () => {
  it('says how to start when the port is in use', async () => {
    const first = createServer().listen(0, '127.0.0.1');
    await once(first, 'listening');
    const { port } = first.address() as { port: number };
    const error = await listenError(port, '127.0.0.1');
    first.close();
    expect(describeFailure(error, { ...config, port: 8088 })).toEqual({
      text: expect.stringMatching(/^Port 8088 is in use( \(.*, pid \d+\))?\. Start with PORT=8089 npm start\.\n$/),
      exitCode: 78,
    });
    expect(describeFailure(error, { ...config, port: 65_535 })?.text).toContain('PORT=8088');
  });

  it.runIf(process.platform === 'linux')('names who has the port', async () => {
    const first = createServer().listen(0, '127.0.0.1');
    await once(first, 'listening');
    const { port } = first.address() as { port: number };
    const failure = describeFailure(await listenError(port, '127.0.0.1'), { ...config, port });
    expect(failure?.text).toMatch(new RegExp(`^Port ${port} is in use \\([^,]+, pid ${process.pid}\\)\\. Start with`));
    first.close();
    await once(first, 'close');
    expect(portHolder(port)).toBeNull();
  });

  it('knows an address of another machine', async () => {
    const error = await listenError(0, '192.0.2.1');
    expect(describeFailure(error, { ...config, host: '192.0.2.1' })).toMatchObject({
      text: expect.stringContaining('192.0.2.1 is not an address of this machine (EADDRNOTAVAIL)'),
      exitCode: 78,
    });
  });

  it.each([
    [new CertificateRefused('cert.pem cannot be served.'), 78, /^cert\.pem cannot be served\.\n$/],
    [new RecordsRefused('r.json', ['one', 'two']), 78, /^r.json was not applied:\n {2}one\n {2}two\n.*--dry-run\n$/],
    [new SealingRefused('no key'), 78, /^no key\n.*--reseal\n$/],
    [new SsoRefused('no client secret'), 78, /^no client secret\n$/],
    [new StoreRefused('a second node'), 78, /^a second node\n$/],
    [
      new StoreDamaged('store.db is damaged'),
      78,
      /^store.db is damaged\nThere is no backup in \/nowhere\/data\/backups\.\n$/,
    ],
    [new StoreUnavailable('busy', 'the database is locked'), 69, /^the database is locked\n.*npx helio doctor\n$/],
    [
      systemError({ syscall: 'listen', code: 'EACCES' }),
      78,
      /^Port 8088 is not allowed for this user\. .*npm start\.\n$/,
    ],
    [systemError({ path: '/proc/x', code: 'ENOENT', syscall: 'mkdir' }), 78, /^\/proc\/x cannot be used \(ENOENT\)\./],
    [systemError({ path: '/x', code: 'ENAMETOOLONG', syscall: 'stat' }), 78, /^\/x cannot be used \(ENAMETOOLONG\)\./],
    [systemError({ code: 'ENOSPC', syscall: 'write' }), 69, /^The disk of \/nowhere\/data is full\./],
    [systemError({ path: '/x', code: 'ENOSPC', syscall: 'mkdir' }), 69, /^The disk of \/x is full\./],
    [systemError({ path: '/x', code: 'EROFS' }), 78, /^\/x cannot be used \(EROFS\)\..*HELIO_DATA/],
  ])('describes %s', (error, exitCode, text) => {
    const failure = describeFailure(error, config);
    expect(failure?.exitCode).toBe(exitCode);
    expect(failure?.text).toMatch(text);
  });

  it.each([[new TypeError('x is undefined')], [undefined], ['text'], [systemError({ code: 'ECONNRESET' })]])(
    'leaves a bug alone: %s',
    (error) => {
      expect(describeFailure(error, config)).toBeNull();
    },
  );
});
