/** The handsets of the sandbox: which there are, and what is new on them. */
import { Empty } from '../../ui/States';
import { handsetWords as words } from '../../words/en/handsets';
import { HandsetFrame } from './HandsetFrame';

export function HandsetsPage() {
  return (
    <HandsetFrame number={null}>
      <Empty title={words.pick}>{words.pickDetail}</Empty>
    </HandsetFrame>
  );
}
