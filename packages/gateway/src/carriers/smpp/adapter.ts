/** The adapter of SMPP carriers, with its connection test: open, bind and unbind each bind. */
import { createClient, type Failure, statusName } from '@heliograph/smpp';
import type { CarrierDeps } from '../deps.ts';
import type { CarrierAdapter, ConnectionStep } from '../kind.ts';
import { patienceMs, recordSteps } from '../steps.ts';
import { clientOptions, machineOf } from './binds.ts';
import { createSmppCarrier } from './carrier.ts';
import { fieldsOfPdu } from './pdu-log.ts';
import type { SmppCarrierRecord, SmppProfile } from './profile.ts';

const goodbyeMs = 2_000;

export const adapter: CarrierAdapter<SmppCarrierRecord> = {
  create: createSmppCarrier,
  test: ({ smpp }, deps) => testSmpp(smpp, deps),
  fieldsOf: fieldsOfPdu,
};

async function testSmpp(profile: SmppProfile, deps: CarrierDeps): Promise<ConnectionStep[]> {
  const { steps, add } = recordSteps(deps.clock);
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
  let end: (outcome: BindOutcome) => void = () => {};
  const ended = new Promise<BindOutcome>((resolve) => {
    end = resolve;
  });
  const handlers = {
    onBound: () => end('bound'),
    onFailure: (failure: Failure) => end(failure),
    // Leave what the carrier sends now unanswered, so that it sends it again to the real bind.
    onRequest: () => {},
  };
  const client = createClient(clientOptions(kind, profile), handlers, machineOf(deps));
  const cancel = deps.clock.after(patienceMs, () => end('no answer in time'));
  client.start();
  const outcome = await ended;
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
