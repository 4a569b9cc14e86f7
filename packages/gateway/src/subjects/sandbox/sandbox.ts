/**
 * Runs the simulated carriers of `@heliograph/sandbox` in this process, reached over TCP like any carrier, with a wire
 * log.
 */
import { type Sandbox, type SandboxOptions, startSandbox } from '@heliograph/sandbox';
import type { Clock, Random } from '../../kernel/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import { isE164Digits, isShortCode } from '../../model/number.ts';
import { sandboxPinnedHandsets } from '../../model/sandbox.ts';
import type { Wire } from '../../model/sandbox-wire.ts';
import { createWireLog } from './wire-log.ts';

export interface SandboxCarrierOptions extends Omit<SandboxOptions, 'ids' | 'isHandset' | 'pinned' | 'said'> {
  clock: Clock;
  random: Random;
}

export interface SandboxCarrier extends Sandbox {
  readonly wire: Wire;
}

/** Rejects only when no port at all is free. */
export async function startSandboxCarrier(options: SandboxCarrierOptions): Promise<SandboxCarrier> {
  const { clock, random } = options;
  const ids = createIds(clock, random);
  const wire = createWireLog({ clock, ids });
  const sandbox = await startSandbox({
    ...options,
    ids,
    isHandset: (number) => isE164Digits(number) || isShortCode(number),
    pinned: sandboxPinnedHandsets,
    said: wire.add,
  });
  const endWaits = (): void => {
    sandbox.endWaits();
    wire.endWaits();
  };
  const stop = (): Promise<void> => {
    wire.endWaits();
    return sandbox.stop();
  };
  return { ...sandbox, wire, endWaits, stop };
}
