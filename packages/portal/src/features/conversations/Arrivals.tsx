/** Says politely that a telephone has written, for those who do not see the list move. */
import { useCallback, useState } from 'react';
import { useLive } from '../../api/live';
import { phoneText } from '../../ui/Values';
import { conversationWords as words } from '../../words/en/conversations';

export function Arrivals() {
  const [told, tell] = useState('');
  useLive(
    useCallback((type, { direction, from }) => {
      if (type === 'message' && direction === 'inbound' && from !== undefined) tell(words.arrived(phoneText(from)));
    }, []),
  );
  return (
    <p role="status" className="visually-hidden">
      {told}
    </p>
  );
}
