/** Wires the HTTP server: routes, TLS, readiness, and where it listens. */
import { kindOf } from '../carriers/kinds.ts';
import { carrierRoutes } from '../http/carrier-routes.ts';
import type { EdgeTls } from '../http/edge.ts';
import { ownHosts } from '../http/own-hosts.ts';
import type { Readiness } from '../http/public-routes.ts';
import { createServer, type RouteModule, type ServerConfig } from '../http/server.ts';
import { version } from '../kernel/version.ts';
import type { DirectoryFollower } from '../messaging/time/memory.ts';
import type { TrustedClock } from '../messaging/time/trusted-clock.ts';
import { duties } from '../model/duty.ts';
import { defaultLimits } from '../model/limits.ts';
import { profileOf } from '../model/records.ts';
import { cancelRoute } from '../subjects/message-log/cancel-route.ts';
import { type CallLog, createCallNotes } from '../subjects/request-log/request-log.ts';
import type { Cells } from './cells.ts';
import type { Certificate } from './certificate.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { EgressPolicy } from './egress-policy.ts';
import type { Part } from './lifecycle.ts';
import type { MessageFlow } from './message-flow.ts';
import type { OwnAddress } from './own-address.ts';
import type { Portal } from './portal.ts';
import type { Store } from './store.ts';
import type { Metrics } from './telemetry.ts';

export interface HttpServer {
  /** Resolves with the port. Rejects when the port cannot be opened. */
  listen(): Promise<number>;
  /** Reports that records, carriers and sandbox are there: `/readyz` answers ready from now on. */
  startUpDone(): void;
  readonly parts: readonly Part[];
}

export interface HttpServerPorts {
  config: Config;
  store: Store;
  directory: Pick<DirectoryFollower, 'current'>;
  trustedClock: Pick<TrustedClock, 'warning'>;
  /** Null without https. */
  certificate: Certificate | null;
  address: Pick<OwnAddress, 'listensOn'>;
  egress: Pick<EgressPolicy, 'forbidPorts'>;
  flow: Pick<MessageFlow, 'lanes' | 'watch' | 'receiver'>;
  requestLog: CallLog;
  doctorToken: string;
  /** The API's routes that other parts define. */
  apiModules: readonly RouteModule[];
  portal: Pick<Portal, 'pages' | 'routes'>;
  metrics: Pick<Metrics, 'countAnswer' | 'routes'> | null;
  /** Null when there is only one cell. */
  cells: Cells | null;
}

export async function openHttpServer(context: Context, ports: HttpServerPorts): Promise<HttpServer> {
  const { store, certificate, requestLog, doctorToken, portal, metrics, cells } = ports;
  const { lanes } = ports.flow;
  let startUpDone = false;
  const server = await createServer({
    ...context,
    directory: ports.directory.current,
    limits: defaultLimits,
    config: serverConfig(ports),
    noteCall: createCallNotes(requestLog, context.clock),
    nodes: store.place.nodes,
    ...(metrics !== null && { countAnswer: metrics.countAnswer }),
    ready: () => (startUpDone ? readiness(ports) : { ready: false, detail: 'it is starting' }),
    ...(cells !== null && { cells: cells.serverParts(ports) }),
    doctorToken,
    version,
    home: portal.pages.home,
    referenceFrame: portal.pages.referenceFrame,
    routes: [
      ...ports.apiModules,
      cancelRoute({ store, nudgeAll: lanes.nudgeAll }),
      carrierRoutes({ carrier: lanes.carrier }),
      ...(metrics?.routes ?? []),
      ...portal.routes,
    ],
  });
  certificate?.onRenewed(() => server.renewCertificate(edgeTls(certificate, ports)));
  return {
    listen: async () => {
      const { port } = await server.listen();
      ports.address.listensOn(port);
      ports.egress.forbidPorts(port);
      return port;
    },
    startUpDone: () => {
      startUpDone = true;
    },
    parts: [{ name: 'server', stop: server.close }],
  };
}

function serverConfig(ports: HttpServerPorts): ServerConfig {
  const { certificate, config } = ports;
  const { host, port, publicUrl, trustedProxies, connectionsPerClient, secondFactorFrom } = config;
  return {
    host,
    port,
    tls: certificate === null ? undefined : edgeTls(certificate, ports),
    trustedProxies,
    connectionsPerClient,
    publicUrl,
    secondFactorFrom,
    isOwnHost: ownHosts({ publicUrl, host, allowed: config.allowedHosts }),
  };
}

async function readiness({ store, flow, trustedClock, cells }: HttpServerPorts): Promise<Readiness> {
  if (!(await store.healthy())) return { ready: false, detail: 'the store takes no writes' };
  const carriers = flow.watch.states();
  const ofCells = cells && {
    cell: cells.name,
    cellsDown: cells.peers.names.filter((one) => !cells.peers.isUp(one)),
    numbersShared: cells.numbers.shared(),
  };
  const state = {
    ready: true,
    detail: 'ready',
    carriers,
    clock: trustedClock.warning(),
    ...(ofCells !== null && { cells: ofCells }),
  };
  const { node, isHere } = flow.lanes;
  if (node === null) return state;
  const lanes = carriers.map(({ carrierId }) => carrierId).filter(isHere);
  return { ...state, cluster: { acts: store.place.acts(), node, lanes, duties: duties.filter(flow.lanes.hasDuty) } };
}

/** Whether clients are asked for a certificate is decided at the start, because a TLS server cannot change it later. */
function edgeTls({ cert, key }: Certificate, { directory }: HttpServerPorts): EdgeTls {
  const { carriers } = directory.current().records;
  const asksForCertificate = carriers.some((one) => one.enabled && kindOf(one).asksForCertificate(profileOf(one)));
  return { cert, key, asksForCertificate };
}
