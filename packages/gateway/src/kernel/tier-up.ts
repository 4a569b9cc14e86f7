/**
 * Makes V8 compile hot functions earlier: after the first thousand texts instead of fifty thousand. That saves a tenth
 * of the CPU per text in the first seconds of a load (docs/decisions/006).
 */
import { setFlagsFromString } from 'node:v8';

/** The Node.js release for which these flags were measured: another V8 may not know them and would print a warning. */
const nodeMajor = 26;

const flags = [
  // How many calls a function needs, and with how many of them its types must be stable, before V8's best compiler
  // takes it.
  '--invocation-count-for-turbofan=200',
  '--minimum-invocations-after-ic-update=100',
  // How much bytecode of other functions it builds into one: what it compiles when a load begins takes the processors
  // from that load.
  '--max-inlined-bytecode-size-cumulative=300',
  // Maglev would compile everything just for the short time before TurboFan.
  '--no-maglev',
];

/** For the whole process, including its threads. */
export function compileSooner(): void {
  if (Number.parseInt(process.versions.node, 10) !== nodeMajor) return;
  for (const flag of flags) setFlagsFromString(flag);
}
