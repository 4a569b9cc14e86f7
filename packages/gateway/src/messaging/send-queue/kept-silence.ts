/**
 * Remembers across restarts which carriers answer nothing, so that such a carrier does not get a whole window of
 * messages again. Several nodes write one setting per carrier, a single node one setting for all.
 */
import type { Clock, EpochMs } from '../../kernel/clock.ts';
import type { Logger } from '../../kernel/logger.ts';
import type { SystemStore } from '../../store/system/module.ts';
import { createSilence, probeEveryMs, type Silence, silentAfter } from './silence.ts';

/** By carrier: since when. */
const silentSetting = 'silent_carriers';

export interface KeptSilenceParts {
  clock: Clock;
  logger: Logger;
  store: Pick<SystemStore, 'getSetting' | 'putSetting'>;
  /** Whether several nodes have lanes. */
  isShared: boolean;
}

export interface KeptSilence {
  of(carrierId: string): Silence;
  /** Loads what the previous run stored. */
  load(): Promise<void>;
  /** Loads what the node stored that had the lane before. */
  reload(carrierId: string): Promise<void>;
}

export function createKeptSilence({ clock, logger, store, isShared }: KeptSilenceParts): KeptSilence {
  const silences = new Map<string, Silence>();
  let silent: Record<string, EpochMs> = {};

  async function changed(carrierId: string, since: EpochMs | null): Promise<void> {
    const own = { name: `${silentSetting}/${carrierId}`, value: since === null ? '' : String(since) };
    const { [carrierId]: _, ...others } = silent;
    silent = since === null ? others : { ...others, [carrierId]: since };
    if (since === null) logger.info({ carrier: carrierId }, 'carrier answers again');
    else {
      const fields = { carrier: carrierId, unanswered: silentAfter, probeEveryMs };
      logger.warn(fields, 'carrier leaves messages without an answer: it gets only probes');
    }
    const { name, value } = isShared ? own : { name: silentSetting, value: JSON.stringify(silent) };
    await store.putSetting(name, value).catch((err: unknown) => {
      logger.warn({ err, carrier: carrierId }, 'whether a carrier answers was not written down');
    });
  }

  return {
    of: (carrierId) => {
      const known = silences.get(carrierId);
      if (known !== undefined) return known;
      const silentSince = silent[carrierId] ?? null;
      const made = createSilence({ clock, silentSince, changed: (since) => void changed(carrierId, since) });
      silences.set(carrierId, made);
      return made;
    },
    load: async () => {
      silent = JSON.parse((await store.getSetting(silentSetting)) ?? '{}') as typeof silent;
    },
    reload: async (carrierId) => {
      const text = await store.getSetting(`${silentSetting}/${carrierId}`);
      if (text === null) return;
      const { [carrierId]: _, ...others } = silent;
      silent = text === '' ? others : { ...others, [carrierId]: Number(text) };
      silences.delete(carrierId);
    },
  };
}
