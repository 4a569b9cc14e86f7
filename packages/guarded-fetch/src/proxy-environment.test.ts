/** Proxy settings in the environment change nothing, not even those that Node itself uses. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { httpServer, rawServer } from './net-fixture.ts';

const script = `
  import { createGuardedFetch } from './guarded-fetch.ts';
  import { machineResolve } from './resolve.ts';
  import { systemClock } from './clock.ts';
  const guarded = createGuardedFetch({ clock: systemClock, resolve: machineResolve });
  const caps = { connectMs: 2000, firstByteMs: 2000, totalMs: 2000, bodyBytesMax: 9, keep: 9 };
  const policy = { allowPrivate: true, extraPorts: [], ownAddresses: [], ownNames: [], ownPorts: [] };
  for (const host of ['127.0.0.1', 'localhost']) {
    const request = { url: 'http://' + host + ':' + process.argv[1] + '/', method: 'GET', headers: {}, policy, caps };
    console.log((await guarded.fetch({ ...request, redirectsMax: 0 })).body?.toString());
  }
  guarded.close();
`;

it('goes straight to the target', async () => {
  const target = await httpServer((_request, response) => response.end('target'));
  const proxy = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\nproxy'));
  const at = `http://127.0.0.1:${proxy.port}`;
  const proxies = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy'];
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ['--input-type=module-typescript', '-e', script, '--', String(target.port)],
    {
      cwd: import.meta.dirname,
      env: { ...Object.fromEntries(proxies.map((name) => [name, at])), NODE_USE_ENV_PROXY: '1', NO_PROXY: '' },
    },
  );
  expect(stdout).toBe('target\ntarget\n');
  expect({ target: target.connections(), proxy: proxy.connections() }).toEqual({ target: 2, proxy: 0 });
});
