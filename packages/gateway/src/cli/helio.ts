/** Runs the `helio` command in this process: arguments in, exit code out. Everything else is in `program.ts`. */
import { runHelio } from './program.ts';

// New files are readable by their owner only: SQLite creates files with the widest mode allowed.
process.umask(0o077);

// The reader of our output may go away (`helio explain | head`, a restarted log collector); that must not end the
// process.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});

process.exitCode = await runHelio(process.argv.slice(2), {
  out: (text) => void process.stdout.write(text),
  error: (text) => void process.stderr.write(text),
  env: process.env,
});
