/** Wires the guarded dialler for customer URLs: one policy for webhooks and media. */
import { hostname } from 'node:os';
import {
  createGuardedFetch,
  type GuardedFetch,
  machineAddresses,
  machineResolve,
  type SimulatorAddress,
  type UrlPolicy,
} from '@heliograph/guarded-fetch';
import type { DirectoryFollower } from '../messaging/time/memory.ts';
import type { Environment } from '../model/records.ts';
import type { WebhookPolicy } from '../subjects/webhooks/webhook-thread.ts';
import { type Config, isLoopback } from './config.ts';
import type { Context } from './context.ts';
import type { Part } from './lifecycle.ts';

export interface EgressPolicy {
  readonly guarded: GuardedFetch;
  /** What may be dialled at this moment. */
  policy(): UrlPolicy;
  /** The same for a record: sandbox records may reach the simulators. */
  policyFor(environment: Environment): UrlPolicy;
  /** Simulators included, for a thread that looks up the machine's addresses itself and knows whose each webhook is. */
  threadPolicy(): WebhookPolicy;
  /** Where nothing leaves this machine anyway, webhooks and media may stay on it too. */
  allowsPrivate(): boolean;
  /** These ports of this machine are the gateway's own: no URL may reach them from now on. */
  forbidPorts(...ports: readonly number[]): void;
  /** Here the sandbox takes webhooks from now on. */
  addSimulator(address: SimulatorAddress): void;
  readonly parts: readonly Part[];
}

export interface EgressPolicyPorts {
  config: Pick<Config, 'allowPrivateUrls' | 'host' | 'publicUrl' | 'sandbox'>;
  directory: Pick<DirectoryFollower, 'current'>;
}

export function createEgressPolicy(
  { clock }: Pick<Context, 'clock'>,
  { config, directory }: EgressPolicyPorts,
): EgressPolicy {
  const guarded = createGuardedFetch({ clock, resolve: machineResolve });
  const ownPorts: number[] = [];
  const simulators: SimulatorAddress[] = [];

  function allowsPrivate(): boolean {
    if (config.allowPrivateUrls !== null) return config.allowPrivateUrls;
    const live = directory.current().records.carriers.some((carrier) => carrier.environment === 'live');
    return config.sandbox && isLoopback(config.host) && !live;
  }

  const threadPolicy = (): WebhookPolicy => ({
    allowPrivate: allowsPrivate(),
    extraPorts: [],
    ownNames: [hostname(), ...(config.publicUrl === null ? [] : [new URL(config.publicUrl).hostname])],
    ownPorts: [...ownPorts],
    simulators: [...simulators],
  });
  const policyFor = (environment: Environment): UrlPolicy => {
    const policy = { ...threadPolicy(), ownAddresses: machineAddresses() };
    return environment === 'sandbox' ? policy : { ...policy, simulators: [] };
  };
  return {
    guarded,
    threadPolicy,
    policy: () => policyFor('live'),
    policyFor,
    allowsPrivate,
    forbidPorts: (...ports) => {
      ownPorts.push(...ports);
    },
    addSimulator: (address) => {
      simulators.push(address);
    },
    parts: [{ name: 'egress policy', stop: guarded.close }],
  };
}
