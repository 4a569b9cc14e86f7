/** Sentences of the start page's figures. */
import { counted } from '../../language/formats';

const periods = { '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' } as const;

export const figureLabels = {
  periods,
  choose: 'Period',
  short: { '24h': '24 hours', '7d': '7 days', '30d': '30 days' },
  behind: 'Older messages are still being counted: these figures are too low.',
  names: {
    deliveryRate: 'Delivery rate',
    sent: 'Sent',
    failed: 'Failed',
    replies: 'Replies',
    medianMs: 'Median time to delivery',
  },
  /** The counted messages, for the link to them. */
  about: {
    deliveryRate: 'Delivered, of the messages with an outcome',
    sent: 'Taken by a carrier',
    failed: 'Undelivered, expired or not sent',
    replies: 'Received messages',
    medianMs: 'Half of the delivered messages took no longer, from acceptance',
  },
  none: '—',
  slower: (time: string) => `${time} slower`,
  faster: (time: string) => `${time} faster`,
  chart: 'Sent and failed',
  table: 'View as table',
  asChart: 'View as chart',
  from: 'From',
  series: { delivered: 'delivered', waiting: 'no outcome yet', failed: 'failed' },
  columns: { sent: 'Sent', delivered: 'Delivered', waiting: 'No outcome yet', failed: 'Failed', replies: 'Replies' },
  bar: (when: string, delivered: number, waiting: number, failed: number) =>
    `${when}: ${counted(delivered, 'delivered', 'delivered')}, ${counted(waiting, 'without an outcome yet', 'without an outcome yet')}, ${counted(failed, 'failed', 'failed')}`,
  summary: (period: keyof typeof periods, sent: number, delivered: number, failed: number) =>
    `${periods[period]}: ${counted(sent, 'message', 'messages')} sent, ${counted(delivered, 'delivered', 'delivered')}, ${counted(failed, 'failed', 'failed')}.`,
  quiet: 'Nothing was sent or received in this time.',
  reasons: {
    title: 'Why messages failed',
    none: 'None failed.',
    reason: 'Reason',
    trend: 'Trend',
    count: 'Messages',
    change: 'Against before',
    more: (count: string) => `${count} more`,
    less: (count: string) => `${count} less`,
    isNew: 'new',
    means: (code: string) => `What ${code} means`,
    most: (count: number) => `at most ${counted(count, 'message', 'messages')} a bar`,
  },
} as const;
