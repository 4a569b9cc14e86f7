/** The HTTP status of a call: a number, with an icon and a colour for the result. */
import { Badge } from '../../ui/Status';

export function CallStatus({ status }: { status: number }) {
  const [tone, icon] =
    status < 400
      ? (['ok', 'check'] as const)
      : status === 429 || status === 503
        ? (['warn', 'hourglass'] as const)
        : (['bad', 'cross'] as const);
  return <Badge tone={tone} icon={icon} word={String(status)} />;
}
