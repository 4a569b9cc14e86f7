/**
 * Tries whether a carrier can be reached as its record says: opens, signs in, says goodbye, and tells each step. It never
 * sends a message, and never keeps a connection. The record's secrets are in plain.
 */
import { createClient, type Failure, statusName } from '@heliograph/smpp';
import type { CarrierRecord, Mm4Profile, Mm7Profile, SmppProfile } from '../domain/records.ts';
import type { CarrierDeps } from './deps.ts';
import { openMm4Connection } from './mm4-connection.ts';
import { createMm7Client } from './mm7-client.ts';
import { clientOptions, machineOf } from './smpp-binds.ts';

/** For each connection; whoever waits is a person. */
const patienceMs = 15_000;
const goodbyeMs = 2_000;

export interface ConnectionStep {
  step: string;
  ok: boolean;
  /** What came of it, in the carrier's own words where it has any. */
  detail: string;
  tookMs: number;
}

/** The steps up to the first that failed. Never rejects. */
export async function testConnection(record: CarrierRecord, deps: CarrierDeps): Promise<ConnectionStep[]> {
  switch (record.kind) {
    case 'smpp':
      return testSmpp(record.smpp, deps);
    case 'mm7':
      return testMm7(record.mm7, deps);
    case 'mm4':
      return testMm4(record.mm4, deps);
  }
}

/** Measures from one step to the next. */
function recorder(deps: CarrierDeps) {
  const steps: ConnectionStep[] = [];
  let since = deps.clock.monotonicMs();
  const add = (step: string, ok: boolean, detail: string): void => {
    const now = deps.clock.monotonicMs();
    steps.push({ step, ok, detail, tookMs: Math.round(now - since) });
    since = now;
  };
  return { steps, add };
}

async function testSmpp(profile: SmppProfile, deps: CarrierDeps): Promise<ConnectionStep[]> {
  const { steps, add } = recorder(deps);
  const kinds =
    profile.bindMode === 'transceiver' ? (['transceiver'] as const) : (['transmitter', 'receiver'] as const);
  for (const kind of kinds) {
    const { client, outcome } = await bindOnce(kind, profile, deps);
    const isConnected = outcome === 'bound' || (typeof outcome === 'object' && outcome.kind !== 'connect_failed');
    const where = `${profile.host}:${profile.port}${profile.tls ? ' with TLS' : ''}`;
    add(`Open a connection to ${where}`, isConnected, isConnected ? 'open' : detailOf(outcome));
    if (isConnected) add(`bind_${kind} as ${profile.system_id}`, outcome === 'bound', detailOf(outcome));
    await client.stop({ drainMs: goodbyeMs });
    if (outcome !== 'bound') return steps;
    add('unbind', true, 'closed');
  }
  return steps;
}

type BindOutcome = 'bound' | 'no answer in time' | Failure;

async function bindOnce(kind: 'transceiver' | 'transmitter' | 'receiver', profile: SmppProfile, deps: CarrierDeps) {
  let tell: (outcome: BindOutcome) => void = () => {};
  const told = new Promise<BindOutcome>((resolve) => {
    tell = resolve;
  });
  const handlers = {
    onBound: () => tell('bound'),
    onFailure: (failure: Failure) => tell(failure),
    // What the carrier sends now is not answered, so that it sends it again to the real bind.
    onRequest: () => {},
  };
  const client = createClient(clientOptions(kind, profile), handlers, machineOf(deps));
  const cancel = deps.clock.after(patienceMs, () => tell('no answer in time'));
  client.start();
  const outcome = await told;
  cancel();
  return { client, outcome };
}

function detailOf(outcome: BindOutcome): string {
  if (typeof outcome === 'string') return outcome;
  switch (outcome.kind) {
    case 'connect_failed':
      return outcome.detail;
    case 'bind_refused':
      return `refused: ${statusName(outcome.command_status)}`;
    case 'closed':
      return `the connection ended: ${outcome.cause}`;
  }
}

async function testMm7(profile: Mm7Profile, deps: CarrierDeps): Promise<ConnectionStep[]> {
  const { steps, add } = recorder(deps);
  const client = createMm7Client(profile, deps.clock);
  const problem = await client.probe();
  const { host, protocol } = new URL(profile.url);
  const how = protocol === 'https:' ? ' with TLS' : '';
  add(`Open a connection to ${host}${how}`, problem === null, problem ?? 'open');
  if (problem === null) add('Close', true, 'closed; the login is shown with the first message only');
  await client.close();
  return steps;
}

async function testMm4(profile: Mm4Profile, deps: CarrierDeps): Promise<ConnectionStep[]> {
  const { steps, add } = recorder(deps);
  const problem = await new Promise<string | null>((resolve) => {
    const cancel = deps.clock.after(patienceMs, () => connection.close('no answer in time'));
    const connection = openMm4Connection(profile, deps.clock, {
      opened: () => {
        cancel();
        resolve(null);
        connection.quit();
      },
      ended: (detail) => {
        cancel();
        resolve(detail);
      },
    });
  });
  const login = profile.username === '' ? '' : ` and sign in as ${profile.username}`;
  add(`Connect to ${profile.host}:${profile.port}, EHLO${login}`, problem === null, problem ?? 'the peer is ready');
  if (problem === null) add('QUIT', true, 'closed');
  return steps;
}
