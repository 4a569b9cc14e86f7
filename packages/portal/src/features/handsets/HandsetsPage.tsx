/** The handsets of the sandbox: which there are, and what is new on them. */

import { labelsOf } from '../../language/labels';
import { Empty } from '../../ui/States';
import { HandsetFrame } from './HandsetFrame';

const words = labelsOf('handset');

export function HandsetsPage() {
  return (
    <HandsetFrame number={null}>
      <Empty title={words.pick}>{words.pickDetail}</Empty>
    </HandsetFrame>
  );
}
