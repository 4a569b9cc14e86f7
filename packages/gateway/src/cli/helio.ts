/** The `helio` command in its process: arguments in, exit code out. Everything else is in `program.ts`. */
import { runHelio } from './program.ts';

// What is made from here on is for its owner alone: SQLite makes files as generously as it may.
process.umask(0o077);

// Whoever read our output may go away (`helio explain | head`, a restarted log collector): no reason to fall over.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.exitCode = await runHelio(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
  env: process.env,
});
