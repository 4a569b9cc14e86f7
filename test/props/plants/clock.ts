/** Moves the wall clock of a gateway, as a machine's may jump: by as many ms as the file `CLOCK_FILE` says. The monotonic one goes on. */
import { readFileSync } from 'node:fs';

const file = process.env.CLOCK_FILE ?? '';
const real = Date.now;
let offMs = Number(readFileSync(file, 'utf8'));
setInterval(() => {
  offMs = Number(readFileSync(file, 'utf8'));
}, 100).unref();

Date.now = () => real() + offMs;
