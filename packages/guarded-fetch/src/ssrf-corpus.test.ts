/** Every URL of the corpus is refused, when saved and when dialled, without any connection. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { ConnectTcp } from './dial.ts';
import { machineConnectTcp } from './dial.ts';
import { get, openGuardedFetch, post, rawServer, relaxed, strict } from './net-fixture.ts';

/** `always`: refused even where private targets are allowed. `{port}`: an allowed port with a listener. */
type Corpus = Record<string, { always: boolean; urls: string[] }>;

const groups = ['addresses', 'texts'].flatMap((file) => {
  const text = readFileSync(new URL(`./ssrf-corpus/${file}.json`, import.meta.url), 'utf8');
  return Object.entries(JSON.parse(text) as Corpus);
});

/** Listens on both loopback addresses, on one port, and counts every dial. */
async function trap() {
  const v4 = await rawServer((socket) => socket.end());
  const v6 = await rawServer((socket) => socket.end(), '::1', v4.port).catch(() => null);
  const dialled: string[] = [];
  const connectTcp: ConnectTcp = (address, port) => {
    dialled.push(address);
    return machineConnectTcp(address, port);
  };
  const resolve = async (name: string) => (/nip|lvh|xn--/.test(name) ? ['127.0.0.1'] : ['::1', '127.0.0.1']);
  const guarded = openGuardedFetch({ connectTcp, resolve });
  return { port: v4.port, dialled, guarded, connections: () => v4.connections() + (v6?.connections() ?? 0) };
}

describe('the SSRF corpus', () => {
  it('has at least 300 URLs, none of them twice', () => {
    const all = groups.flatMap(([, { urls }]) => urls);
    expect(all.length).toBeGreaterThanOrEqual(300);
    expect(new Set(all).size).toBe(all.length);
  });

  it.each(groups)('%s: blocked, and nothing is dialled', async (_name, { urls }) => {
    const { port, dialled, guarded, connections } = await trap();
    const policy = { ...strict, extraPorts: [port] };
    for (const url of urls.map((text) => text.replaceAll('{port}', String(port)))) {
      expect(await guarded.fetch(post(url, { policy })), url).toMatchObject({ kind: 'blocked' });
      expect(await guarded.fetch(get(url, { policy })), url).toMatchObject({ kind: 'blocked' });
      expect(await guarded.checkUrlResolved(url, policy, 1_000), url).toMatchObject({ ok: false });
    }
    expect({ dialled, connections: connections() }).toEqual({ dialled: [], connections: 0 });
  });

  it.each(groups.filter(([, { always }]) => always))('%s: blocked even where private is allowed', async (_name, g) => {
    const { port, dialled, guarded, connections } = await trap();
    for (const url of g.urls.map((text) => text.replaceAll('{port}', String(port)))) {
      expect(await guarded.fetch(post(url, { policy: relaxed })), url).toMatchObject({ kind: 'blocked' });
    }
    expect({ dialled, connections: connections() }).toEqual({ dialled: [], connections: 0 });
  });
});
