/**
 * The carrier of a benchmark as a process of its own: the test SMSC, keeping counts alone so that it costs little of the
 * CPU it shares with the gateway. Started by `run.ts` with fork; measures nothing but what reached it.
 */
import { type SmscBehaviour, startSmsc } from '../test/props/smsc.ts';
import { answerParent } from './processes.ts';

export type SinkQuestion = { ask: 'port' | 'counts' | 'reset' };

const behaviour = JSON.parse(process.argv[2] ?? '{}') as Partial<SmscBehaviour>;
const smsc = await startSmsc({ behaviour, keepList: false });

answerParent<SinkQuestion>((question) => {
  if (question.ask === 'reset') smsc.reset();
  return question.ask === 'port' ? smsc.port : smsc.counts();
});
