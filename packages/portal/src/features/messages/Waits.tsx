/** Why a message waits in the queue at this moment, in a sentence, with the way to its carrier for whoever may go there. */
import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/session';
import { Notice } from '../../ui/States';
import { nearText } from '../../ui/Values';
import { storyWords as words } from '../../words/en/message-story';
import type { Waiting, Whole } from './message-data';
import { isOfCarrier, waitingText } from './timeline';

export function Waits({ message, waiting }: { message: Whole; waiting: Waiting | null }) {
  const isOperator = useMay('operator');
  if (message.state !== 'queued' || waiting === null) return null;
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
