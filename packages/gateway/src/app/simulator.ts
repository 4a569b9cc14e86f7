/**
 * Wires the sandbox: simulated carrier, handsets, webhook inbox, and their routes. The gateway reaches them over the
 * network only.
 */
import type { SandboxOptions } from '@heliograph/sandbox';
import { carrierKinds } from '../carriers/kinds.ts';
import type { RouteModule } from '../http/server.ts';
import type { AccountId } from '../kernel/ids.ts';
import type { Sealer } from '../kernel/sealing.ts';
import type { Lanes } from '../messaging/send-queue/lanes.ts';
import type { DirectoryFollower } from '../messaging/time/memory.ts';
import type { StoredMedium } from '../model/medium.ts';
import { inboxSecrets } from '../subjects/records/inbox-endpoint.ts';
import { type FirstSteps, seedSandbox } from '../subjects/records/seed.ts';
import type { SimulatedCarrier } from '../subjects/records/simulated-carriers.ts';
import { createDemoService, type DemoService } from '../subjects/sandbox/demo-service.ts';
import type { SandboxCarrier } from '../subjects/sandbox/sandbox.ts';
import { sandboxCarrierRoute, sandboxResetRoute } from '../subjects/sandbox/sandbox-carrier-route.ts';
import { sandboxDemoRoutes } from '../subjects/sandbox/sandbox-demo-routes.ts';
import { sandboxFaultRoutes } from '../subjects/sandbox/sandbox-fault-routes.ts';
import { sandboxInboxRoutes } from '../subjects/sandbox/sandbox-inbox-routes.ts';
import { type FetchedContents, sandboxRoutes } from '../subjects/sandbox/sandbox-routes.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { EgressPolicy } from './egress-policy.ts';
import type { Part } from './lifecycle.ts';
import type { MediaStorage } from './mms.ts';
import type { OwnAddress } from './own-address.ts';
import type { Store } from './store.ts';

const simulatorHost = '127.0.0.1';

export interface Simulator {
  readonly carrier: SandboxCarrier;
  readonly demo: DemoService;
  /** The current state of each bind to the SMS carrier. */
  binds(): string[];
  /** Writes the sandbox's records with the present addresses of its servers. */
  seed(): Promise<FirstSteps>;
  readonly routes: RouteModule[];
  readonly parts: readonly Part[];
}

export interface SimulatorPorts {
  config: Config;
  store: Store;
  sealer: Sealer;
  directory: Pick<DirectoryFollower, 'current'>;
  lanes: Pick<Lanes, 'status'>;
  mediaStorage: MediaStorage;
  address: Pick<OwnAddress, 'localUrl' | 'baseUrl'>;
  egress: Pick<EgressPolicy, 'forbidPorts' | 'addSimulator'>;
}

/** Opens the servers of the sandbox. Null when the sandbox is off. */
export async function startSimulator(context: Context, ports: SimulatorPorts): Promise<Simulator | null> {
  const { config, store, directory, sealer, address } = ports;
  if (!config.sandbox) return null;
  const { clock, random, logger } = context;
  // Loaded only with the sandbox: it brings servers for three protocols.
  const [{ startSandboxCarrier }, { startWebhookInbox }] = await Promise.all([
    import('../subjects/sandbox/sandbox.ts'),
    import('../subjects/sandbox/webhook-inbox.ts'),
  ]);
  const simulated = carrierKinds.flatMap(({ takes, simulated: record, simulator }) =>
    record === undefined || simulator === undefined ? [] : [{ takes, simulator, carrierId: record.carrierId }],
  );
  const statusOf = (carrierId: string) => ports.lanes.status().find((one) => one.carrierId === carrierId);
  const options = simulated.map(({ carrierId, simulator }) =>
    simulator.options({
      preferredPort: Number(config[simulator.portSetting as keyof Config]),
      localUrl: address.localUrl,
      listening: () => statusOf(carrierId)?.listening ?? null,
    }),
  );
  const carrier = await startSandboxCarrier({
    // Each kind of carrier names the options that the sandbox needs for it.
    ...(Object.assign({}, ...options) as SandboxOptions),
    host: simulatorHost,
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
  const demo = createDemoService({ store, clock, random, directory: directory.current });
  const carriers: SimulatedCarrier[] = simulated.map(({ carrierId, simulator }) => ({
    carrierId,
    ...simulator.client(carrier, simulatorHost),
  }));
  const ofTexts = simulated.findIndex(({ takes }) => takes.includes('SMS'));
  const texts = carriers[ofTexts]!;
  const binds = () => (statusOf(texts.carrierId)?.binds ?? []).map(({ state }) => state);
  // The inbox's port stays allowed: webhooks must reach it.
  ports.egress.forbidPorts(...carriers.flatMap(({ address: { port } }) => (typeof port === 'number' ? [port] : [])));
  ports.egress.addSimulator({ address: simulatorHost, port: inbox.port });
  const part: Part = {
    name: 'simulator',
    // Answers long polls on handsets first; they would delay the server's stop.
    quiesce: () => {
      carrier.endWaits();
      inbox.endWaits();
    },
    stop: async () => {
      await inbox.stop();
      await carrier.stop();
    },
  };
  const where = { ...context, dataDir: config.dataDir, sealer, carriers, inboxUrl: inbox.url };
  return {
    carrier,
    binds,
    demo,
    seed: () => seedSandbox(store, { ...where, baseUrl: address.baseUrl() }),
    routes: [
      sandboxRoutes(carrier.handsets, { fetchMedia: contents(ports.mediaStorage) }),
      sandboxFaultRoutes(carrier.faultInjection, carrier.wire),
      sandboxResetRoute(carrier.handsets, carrier.faultInjection),
      sandboxDemoRoutes(demo),
      sandboxCarrierRoute(binds, `${texts.address.host}:${texts.address.port}`),
      sandboxInboxRoutes(inbox),
    ],
    parts: [part],
  };
}

/** Media from a handset are fetched like a customer's, but not fitted: real telephones do not fit theirs either. */
function contents({
  media,
}: MediaStorage): (urls: readonly string[], accountId: AccountId) => Promise<FetchedContents> {
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
