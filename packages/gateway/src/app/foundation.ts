/**
 * Opens what all parts need: data folder, secret key, trusted clock, store, and records (of the sandbox and of the
 * records file).
 */
import { createIds } from '../kernel/ids.ts';
import { machineClock, machineRandom as random } from '../kernel/machine.ts';
import { createSealer, deriveKey, doctorToken, loadSecretKey, type Sealer } from '../kernel/sealing.ts';
import { type DirectoryFollower, followDirectory } from '../messaging/time/memory.ts';
import { createTrustedClock, type TrustedClock } from '../messaging/time/trusted-clock.ts';
import type { CommitWatch } from '../store/create-store.ts';
import { type ApplyReport, applyFile } from '../subjects/records/apply.ts';
import { seedRecords, withoutSandbox } from '../subjects/records/seed.ts';
import { bindSecrets } from './bound-secrets.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import { guardDataFolder } from './data-folder.ts';
import type { Lifecycle, Part } from './lifecycle.ts';
import { openStore } from './open-store.ts';
import { holdAfterPromotion, watchPostgresState } from './promoted-standby.ts';
import { createStopPatience } from './stop-patience.ts';
import type { Store } from './store.ts';

export interface Foundation {
  readonly context: Context;
  /** The context's clock, compared with the machine's clock. */
  readonly trustedClock: TrustedClock;
  readonly store: Store;
  /** Aborted when a stop no longer waits for the store. */
  readonly givenUp: AbortSignal;
  readonly sealer: Sealer;
  /** Signs URLs of media. */
  readonly mediaUrlKey: Uint8Array;
  /** Lets `helio doctor`, which can read the secret key, ask for more than an anonymous client. */
  readonly doctorToken: string;
  readonly directory: DirectoryFollower;
  /** What the configured records file changed; null without one. */
  readonly applied: ApplyReport | null;
}

/** Adds the store to the lifecycle at once, because a later step may fail. */
export async function openFoundation(
  { logger, broken }: Pick<Context, 'logger' | 'broken'>,
  ports: { config: Config; lifecycle: Pick<Lifecycle, 'add'>; commits: CommitWatch },
): Promise<Foundation> {
  const { config, lifecycle, commits } = ports;
  const { dataDir, configFile } = config;
  guardDataFolder(dataDir, logger);
  const key = loadSecretKey({ dataDir, keyFile: config.secretKeyFile, random });
  const sealer = createSealer(key);
  const clock = createTrustedClock(machineClock, logger);
  const patience = createStopPatience({ clock, logger });
  const { givenUp } = patience;
  const opened = await openStore({
    databaseUrl: config.databaseUrl?.reveal(),
    dataDir,
    role: 'node',
    standby: config.standby,
    cluster: config.cluster,
    clock,
    logger,
    recovered: (found) => logger.warn({ ...found }, 'brought in from the journal what the last stop left there'),
    givenUp,
    broken,
    watch: commits,
  });
  const store = bindSecrets(opened, sealer);
  lifecycle.add(
    {
      name: 'store',
      stopBegins: () => patience.watch(store),
      stop: () => {
        patience.end();
        return store.close();
      },
    },
    clockWatch(clock),
  );
  clock.compare(await store.newestEventAt());
  await holdAfterPromotion(store, logger);
  lifecycle.add(watchPostgresState({ store, clock, logger, broken }));
  if (config.sandbox) await seedRecords(store);
  const applied =
    configFile === null ? null : await applyFile(configFile, { store, sealer, clock, random, leaveOut: true });
  const directory = await followDirectory({
    clock,
    logger,
    store,
    view: (records) => (config.sandbox ? records : withoutSandbox(records)),
  });
  lifecycle.add({ name: 'directory', start: directory.start, stop: directory.stop });
  return {
    context: { clock, random, ids: createIds(clock, random), logger, broken },
    trustedClock: clock,
    store,
    givenUp,
    sealer,
    mediaUrlKey: deriveKey(key, 'media urls'),
    doctorToken: doctorToken(key),
    directory,
    applied,
  };
}

function clockWatch(clock: TrustedClock): Part {
  let end = (): void => {};
  return {
    name: 'clock watch',
    start: () => {
      end = clock.watch();
    },
    quiesce: () => end(),
  };
}
