/** Prometheus's own tool (Debian: `prometheus`) reads a scrape of a real gateway, the alerts, and the tests of the alerts. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { freePort } from '../../packages/gateway/src/cli/prove/free-port.ts';
import { startSandbox } from '../props/sandbox.ts';

const folder = fileURLToPath(new URL('../../deploy/prometheus', import.meta.url));

function promtool(args: string[], input = ''): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    const child = execFile('promtool', args, { cwd: folder }, (fault, out, error) =>
      resolve({ code: fault === null ? 0 : Number(fault.code ?? -1), output: out + error }),
    );
    child.stdin?.end(input);
  });
}

it('finds nothing wrong with the metrics of a gateway that has sent, and notices if there were', async () => {
  const port = await freePort();
  const sandbox = await startSandbox({ env: { HELIO_METRICS_PORT: String(port) } });
  onTestFinished(() => sandbox.stop());
  await sandbox.until(await sandbox.text('12025550100', 'Hello'), ['delivered']);
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(await promtool(['check', 'metrics'], text)).toEqual({ code: 0, output: '' });
  const worse = await promtool(['check', 'metrics'], `${text}# TYPE helio_texts counter\nhelio_texts 1\n`);
  expect(worse.code).not.toBe(0);
});

it('takes the settings and the alerts', async () => {
  expect(await promtool(['check', 'config', 'prometheus.yml'])).toMatchObject({ code: 0 });
  // The container has its files in other places.
  const inContainers = ['check', 'config', '--syntax-only', '../compose/prometheus.yml'];
  expect(await promtool(inContainers)).toMatchObject({ code: 0 });
});

it('sees the alerts fire when they should, and only then', async () => {
  expect(await promtool(['test', 'rules', 'heliograph.rules.test.yml'])).toMatchObject({
    code: 0,
    output: expect.stringContaining('SUCCESS'),
  });
});
