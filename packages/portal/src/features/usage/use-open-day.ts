/** What a click on a day of a chart does: the log shows the messages of that day. */
import { useNavigate } from '@tanstack/react-router';
import { messagesSearch } from './messages-search';

export function useOpenDay(): (days: readonly string[]) => (index: number) => void {
  const navigate = useNavigate();
  return (days) => (index) => {
    const day = days[index];
    const q = day === undefined ? null : messagesSearch({ from: day, to: day }, {});
    if (q !== null) void navigate({ to: '/messages', search: { q } as never });
  };
}
