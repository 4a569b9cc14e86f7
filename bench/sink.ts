/**
 * The carrier of a benchmark, in its own process: the test SMSC, which keeps only counts because it shares the CPU with
 * the gateway. Forked by `run.ts`.
 */
import { type SmscBehaviour, startSmsc } from '../test/props/smsc.ts';
import { answerParent } from './processes.ts';

export type SinkCommand = { ask: 'port' | 'counts' | 'reset'; behaviour?: Partial<SmscBehaviour> };

const behaviour = JSON.parse(process.argv[2] ?? '{}') as Partial<SmscBehaviour>;
const smsc = await startSmsc({ behaviour, keepList: false });

answerParent<SinkCommand>((command) => {
  Object.assign(smsc.behaviour, command.behaviour);
  if (command.ask === 'reset') smsc.reset();
  return command.ask === 'port' ? smsc.port : smsc.counts();
});
