/** Says politely that a telephone has written, for those who do not see the list move. */
import { useCallback, useEffect, useRef, useState } from 'react';
import { useLive } from '../../api/live';
import { useOwnNumbers } from '../../api/own-numbers';
import { labelsOf } from '../../language/labels';
import { phoneText } from '../../ui/Values';

const words = labelsOf('conversation');

export function Arrivals() {
  const [told, tell] = useState('');
  const numbers = useOwnNumbers();
  /** Only arrivals of the shown environment are announced. */
  const own = useRef(numbers);
  useEffect(() => {
    own.current = numbers;
  }, [numbers]);
  useLive(
    useCallback((type, { direction, from, to }) => {
      const isListed = type === 'message' && direction === 'inbound' && to !== undefined && own.current.includes(to);
      if (isListed && from !== undefined) tell(words.arrived(phoneText(from)));
    }, []),
  );
  return (
    <p role="status" className="visually-hidden">
      {told}
    </p>
  );
}
