/** `helio rotate-key`: replaces the key of the sealed secrets while no gateway runs. */
import { join } from 'node:path';
import { rotateKey } from '../app/key-rotation.ts';
import { counted } from '../kernel/counted.ts';
import { machineClock as clock, machineRandom as random } from '../kernel/machine.ts';
import { keyFileName } from '../kernel/sealing.ts';
import { startCommand } from '../kernel/start-command.ts';
import type { Terminal } from './terminal.ts';
import { runWithStore } from './tool-store.ts';

export function rotate(terminal: Terminal): Promise<number> {
  return runWithStore(
    terminal,
    async ({ dataDir, secretKeyFile }, withStore) => {
      const keyFile = secretKeyFile ?? join(dataDir, keyFileName);
      const done = await withStore((store) => rotateKey({ store, keyFile, random, clock }));
      return [
        `${counted(done.resealed, 'secret')} encrypted with a new key: ${done.keyFile}`,
        ...(done.lost === 0
          ? []
          : [`${counted(done.lost, 'secret')} could be decrypted with neither key and cannot be used.`]),
        `The old key is kept for earlier backups: ${done.oldKeyFile}`,
        `Media links handed out before no longer work. Next: ${startCommand}\n`,
      ].join('\n');
    },
    // Refused while a gateway runs, because it would go on with the old key.
    { role: 'node' },
  );
}
