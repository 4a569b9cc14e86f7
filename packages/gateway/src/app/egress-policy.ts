/** Wires the guarded dialler for customer URLs: one policy for webhooks and media. */
import { hostname } from 'node:os';
import {
  createGuardedFetch,
  type GuardedFetch,
  machineAddresses,
  machineResolve,
  type ResolvedUrlCheck,
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
  /**
   * Whether webhooks may be sent to a URL, and whether it is on this machine or a private network, which is allowed here.
   * `why` is a word of the dialler, or `dns`.
   */
  checkUrl(
    url: string,
    environment: Environment,
  ): Promise<{ ok: true; isPrivate?: boolean } | Extract<ResolvedUrlCheck, { ok: false }>>;
  /** When nothing leaves this machine anyway, webhooks and media may also stay on it. */
  allowsPrivate(): boolean;
  /** These ports of this machine are the gateway's own: from now on no URL may reach them. */
  forbidPorts(...ports: readonly number[]): void;
  /** From now on the sandbox receives webhooks at this address. */
  addSimulator(address: SimulatorAddress): void;
  readonly parts: readonly Part[];
}

/** How long the check of a new endpoint waits for DNS. */
const checkWaitMs = 2_000;

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
    checkUrl: async (url, environment) => {
      const policy = policyFor(environment);
      const checked = await guarded.checkUrlResolved(url, policy, checkWaitMs);
      if (!checked.ok || !policy.allowPrivate) return checked;
      // Any port is allowed here, so its port says nothing about where a URL leads.
      const { port, protocol } = new URL(url);
      const extraPorts = [Number(port) || (protocol === 'https:' ? 443 : 80)];
      const strict = await guarded.checkUrlResolved(url, { ...policy, allowPrivate: false, extraPorts }, checkWaitMs);
      return { ok: true, isPrivate: !strict.ok && (strict.why === 'address' || strict.why === 'name') };
    },
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
