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
  /** Which addresses may be dialled now. */
  policy(): UrlPolicy;
  /** The same for a record: sandbox records may reach the simulators. */
  policyFor(environment: Environment): UrlPolicy;
  /**
   * Includes the simulators, for a thread that looks up the machine's addresses itself and knows the environment of
   * each webhook.
   */
  threadPolicy(): WebhookPolicy;
  /** When nothing leaves this machine anyway, webhooks and media may also stay on it. */
  allowsPrivate(): boolean;
  /** These ports of this machine are the gateway's own: from now on no URL may reach them. */
  forbidPorts(...ports: readonly number[]): void;
  /** From now on the sandbox receives webhooks at this address. */
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
