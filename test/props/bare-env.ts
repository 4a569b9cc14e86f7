/** The environment of processes that tests start: the user's environment without this test run's own settings. */
const ours = /^(HELIO_|PORT$|NODE_|VITEST)/;

/**
 * V8's compile cache is added: without it each start strips the types of hundreds of sources and compiles them, half
 * the CPU of a command.
 */
export function bareEnv(): Record<string, string | undefined> {
  const { NODE_COMPILE_CACHE } = process.env;
  const inherited = Object.entries(process.env).filter(([name]) => !ours.test(name));
  return { ...Object.fromEntries(inherited), ...(NODE_COMPILE_CACHE !== undefined && { NODE_COMPILE_CACHE }) };
}
