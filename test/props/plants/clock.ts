/**
 * Moves the gateway's wall clock by the ms in the file `CLOCK_FILE`, as a machine's clock may jump. The monotonic clock
 * is unchanged.
 */
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_FILE ?? '';
const real = Date.now;
let offMs = Number(readFileSync(file, 'utf8'));
setInterval(() => {
  offMs = Number(readFileSync(file, 'utf8'));
}, 100).unref();

Date.now = () => real() + offMs;
