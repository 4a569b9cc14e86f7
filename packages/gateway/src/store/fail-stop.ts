/**
 * Wraps an engine so that a disk error under a commit ends the process: afterwards no caller may be answered, and
 * nothing retried on the same files.
 */
import { CommitInDoubt, type Engine } from './engine.ts';
import { StoreBroken } from './faults.ts';

/** `broken` must not return control to the caller in a running process (it exits). */
export function failStop(engine: Engine, broken: (error: StoreBroken) => void): Engine {
  const judge = (error: unknown): never => {
    if (error instanceof StoreBroken) broken(error);
    if (error instanceof CommitInDoubt) throw new CommitInDoubt(error.outcome.catch(judge));
    throw error;
  };
  return {
    ...engine,
    commit: (calls) => engine.commit(calls).catch(judge),
    lookUp: (name, params) => engine.lookUp(name, params).catch(judge),
    close: () => engine.close().catch(judge),
  };
}
