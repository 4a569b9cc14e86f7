/** Writes the records file an external harness starts the gateway with: `write-records.ts FILE SMSC_PORT WINDOW`. */
import { writeLiveRecords } from '../../test/props/live-records.ts';

const [file, smscPort, window] = process.argv.slice(2);
writeLiveRecords(file!, { smscPort: Number(smscPort), window: Number(window) });
