/** The first half of `sim-epoch-blind.ts`. */
import { checkedTurn as realTurn } from '../../../packages/gateway/src/store/postgres-turn.ts';
import { standIn } from './plant.ts';

export * from '../../../packages/gateway/src/store/postgres-turn.ts';

export function checkedTurn(answers: Parameters<typeof realTurn>[0]): ReturnType<typeof realTurn> {
  return realTurn(answers, answers[3]!.rows[0]!.epoch as number);
}

standIn('store/postgres-turn.ts', import.meta.url);
