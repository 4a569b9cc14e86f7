/**
 * Wires what only the sandbox has: the simulated carrier with its handsets, the inbox for webhooks, and their doors.
 * Everything between them and the gateway goes over the wire.
 */
import type { SandboxCarrier } from './carriers/sandbox/sandbox.ts';
import type { RunningWebhookInbox } from './carriers/sandbox/webhook-inbox.ts';
import type { Config } from './config.ts';
import type { Clock, Random } from './domain/clock.ts';
import type { Logger } from './domain/logger.ts';
import type { StoredMedium } from './domain/medium.ts';
import { createDemoDesk, type DemoDesk } from './flow/demo-desk.ts';
import type { DirectoryFollower } from './flow/directory-follower.ts';
import type { Lanes } from './flow/lanes.ts';
import { sandboxCarrierRoute } from './http/sandbox-carrier-route.ts';
import { sandboxDemoRoutes } from './http/sandbox-demo-routes.ts';
import { sandboxInboxRoutes } from './http/sandbox-inbox-routes.ts';
import { sandboxResetRoute } from './http/sandbox-reset-route.ts';
import { type FetchedContents, sandboxRoutes } from './http/sandbox-routes.ts';
import { sandboxTroubleRoutes } from './http/sandbox-trouble-routes.ts';
import type { RouteModule } from './http/server.ts';
import type { MediaRoom } from './mms.ts';
import { inboxSecrets } from './records/inbox-endpoint.ts';
import { sandboxCarrier, sandboxMm4Carrier, sandboxMm7Carrier } from './records/sandbox-records.ts';
import { type SandboxMms, sandboxCarrierLogin, sandboxMm7Login } from './records/seed.ts';
import type { Sealer } from './sealing.ts';
import type { Store } from './store/store.ts';

export const simulatorHost = '127.0.0.1';

export interface Simulator {
  readonly carrier: SandboxCarrier;
  readonly inbox: RunningWebhookInbox;
  readonly mms: SandboxMms;
  readonly demo: DemoDesk;
  /** The state of each bind to the carrier of texts, as it is now. */
  binds(): string[];
  readonly routes: RouteModule[];
  /** Answers everyone who waits. */
  endWaits(): void;
  stop(): Promise<void>;
}

export interface SimulatorParts {
  config: Config;
  clock: Clock;
  random: Random;
  store: Store;
  logger: Logger;
  sealer: Sealer;
  directory: DirectoryFollower;
  lanes: Pick<Lanes, 'status'>;
  room: MediaRoom;
  /** Where this machine reaches the gateway's own HTTP door; null while it does not listen. */
  gatewayUrl(): string | null;
}

export async function startSimulator(parts: SimulatorParts): Promise<Simulator> {
  const { config, clock, random, logger, directory, sealer } = parts;
  // With servers of three protocols: loaded only where there is a sandbox.
  const [{ startSandboxCarrier }, { startWebhookInbox }] = await Promise.all([
    import('./carriers/sandbox/sandbox.ts'),
    import('./carriers/sandbox/webhook-inbox.ts'),
  ]);
  const carrier = await startSandboxCarrier({
    host: simulatorHost,
    preferredPort: config.simulatorSmppPort,
    ...sandboxCarrierLogin,
    mm7: {
      preferredPort: config.simulatorMm7Port,
      username: sandboxMm7Login.username,
      password: sandboxMm7Login.password,
      gateway: () => {
        const url = parts.gatewayUrl();
        return url === null
          ? null
          : { url: `${url}/carriers/${sandboxMm7Carrier.carrierId}/mm7`, ...sandboxMm7Login.inbound };
      },
    },
    mm4: {
      preferredPort: config.simulatorMm4Port,
      ownDomain: sandboxMm4Carrier.mm4.domain,
      peerDomain: sandboxMm4Carrier.mm4.ownDomain,
      gateway: () =>
        parts.lanes.status().find(({ carrierId }) => carrierId === sandboxMm4Carrier.carrierId)?.listening ?? null,
    },
    ownerOf: (sender) => directory.current().number(sender)?.accountId ?? '',
    clock,
    random,
    logger,
  });
  const inbox = await startWebhookInbox({
    host: simulatorHost,
    preferredPort: config.webhookInboxPort,
    secrets: () => inboxSecrets(directory.current().records, sealer, clock.now()),
    clock,
    random,
    logger,
  });
  const demo = createDemoDesk({ store: parts.store, clock, random, directory: directory.current });
  const binds = () =>
    (parts.lanes.status().find(({ carrierId }) => carrierId === sandboxCarrier.carrierId)?.binds ?? []).map(
      ({ state }) => state,
    );
  return {
    carrier,
    inbox,
    binds,
    demo,
    mms: { mm7: { ...sandboxMm7Login, url: carrier.mm7.url }, mm4: carrier.mm4 },
    routes: [
      sandboxRoutes(carrier.handsets, { fetchMedia: contents(parts.room) }),
      sandboxTroubleRoutes(carrier.trouble, carrier.wire),
      sandboxResetRoute(carrier.handsets, carrier.trouble),
      sandboxDemoRoutes(demo),
      sandboxCarrierRoute(binds, `${simulatorHost}:${carrier.port}`),
      sandboxInboxRoutes(inbox),
    ],
    endWaits: () => {
      carrier.endWaits();
      inbox.endWaits();
    },
    stop: async () => {
      await inbox.stop();
      await carrier.stop();
    },
  };
}

/** What a handset sends is fetched as what a customer sends is, but not fitted: telephones do as they like. */
function contents({ media }: MediaRoom): (urls: readonly string[], accountId: string) => Promise<FetchedContents> {
  return async (urls, accountId) => {
    const fetched = await media.fetch(urls, accountId);
    if (fetched.kind === 'later') return { kind: 'later' };
    if (fetched.kind === 'failed') return fetched;
    const read = await Promise.all(fetched.media.map(content));
    return read.includes(null) ? { kind: 'later' } : { kind: 'fetched', media: read.filter((one) => one !== null) };
  };

  async function content({ hash, type }: StoredMedium, index: number) {
    const bytes = await media.read(hash);
    return bytes && { contentType: type, fileName: `media-${index + 1}`, bytes };
  }
}
