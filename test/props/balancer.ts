/**
 * A load balancer in front of several gateways, as an operator would use one: it polls `/readyz` of each, sends new
 * connections to a ready one (all to the same, or in turn), and cuts connections to one that is no longer ready.
 */
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface Balancer {
  readonly port: number;
  /** The port of the gateway that takes requests now; null when none is ready. */
  ready(): number | null;
  /** All that are ready. */
  allReady(): readonly number[];
  stop(): Promise<void>;
}

const lookEveryMs = 100;
/** A paused gateway accepts connections and answers nothing. */
const answerMsMax = 2_000;

export async function startBalancer(
  ports: readonly number[],
  { inTurn = false }: { inTurn?: boolean } = {},
): Promise<Balancer> {
  let ready: number | null = null;
  let all: readonly number[] = [];
  let turn = 0;
  let stopped = false;
  const open = new Map<Socket, number>();

  const server = createServer((client) => {
    if (ready === null) {
      client.destroy();
      return;
    }
    const port = inTurn ? all[turn++ % all.length]! : ready;
    const upstream = connect(port, '127.0.0.1');
    const close = () => {
      client.destroy();
      upstream.destroy();
      open.delete(client);
    };
    open.set(client, port);
    for (const socket of [client, upstream]) socket.on('error', close).on('close', close);
    client.pipe(upstream).pipe(client);
  });

  async function look(): Promise<void> {
    const answers = await Promise.all(ports.map(isReady));
    const found = ports.filter((_, place) => answers[place]);
    if (ready === null || !found.includes(ready)) ready = found[0] ?? null;
    all = found;
    for (const [client, port] of open) if (inTurn ? !found.includes(port) : port !== ready) client.destroy();
  }

  const looking = (async () => {
    while (!stopped) {
      await look();
      await new Promise((resolve) => setTimeout(resolve, lookEveryMs));
    }
  })();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    ready: () => ready,
    allReady: () => all,
    stop: async () => {
      stopped = true;
      for (const client of open.keys()) client.destroy();
      await Promise.all([looking, new Promise((resolve) => server.close(resolve))]);
    },
  };
}

async function isReady(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`, {
      headers: { connection: 'close' },
      signal: AbortSignal.timeout(answerMsMax),
    });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}
