/** Why a message waits now, in a sentence, with a link to its carrier for people who may see it. */
import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Notice } from '../../ui/States';
import { nearText } from '../../ui/Values';
import type { Waiting, Whole } from './message-data';
import { isOfCarrier, mayWait, waitingText } from './timeline';

const words = labelsOf('story');

export function Waits({ message, waiting }: { message: Whole; waiting: Waiting | null }) {
  const isOperator = useMay('operator');
  if (!mayWait.has(message.state) || waiting === null) return null;
  const text = waitingText(waiting, Date.now() - Date.parse(message.updatedAt), nearText);
  if (text === null) return null;
  const { carrier } = waiting;
  return (
    <Notice tone="info" title={`${words.waits}: ${text}.`}>
      {isOperator && carrier !== null && isOfCarrier(waiting) && (
        <Link to="/carriers/$carrierId" params={{ carrierId: carrier.carrierId }}>
          {words.openCarrier}
        </Link>
      )}
    </Notice>
  );
}
