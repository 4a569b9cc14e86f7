/** Sentences of usage and billing. */
import { counted, numberText } from '../../language/formats';

export const usageWords = {
  title: 'Usage & billing',
  period: {
    label: 'Period',
    thisMonth: 'This month',
    lastMonth: 'Last month',
    last30: 'Last 30 days',
    last12: 'Last 12 months',
    custom: 'Other days',
    show: 'Show',
    from: 'From',
    to: 'To',
    utc: 'Days are UTC. A message counts once, on the day on which a carrier took it.',
    wrong: 'Choose a first day that is not after the last, at most 366 days apart.',
  },
  sandbox: 'This is the sandbox: everything is counted as if it were real, and nobody is billed.',
  figures: {
    cost: 'Cost',
    noCost: 'No prices are set',
    smsMessages: 'SMS messages',
    smsSegments: 'SMS segments',
    mmsMessages: 'MMS messages',
    unpriced: 'Without a price',
  },
  unpriced: (count: number) =>
    `${counted(count, 'message is', 'messages are')} of days before the first price, and in no cost.`,
  chart: {
    title: 'Messages by day',
    sms: 'SMS',
    mms: 'MMS',
    asTable: 'View as table',
    asChart: 'View as chart',
    label: 'Messages by day; arrow keys go from day to day',
    day: (day: string, sms: number, mms: number) =>
      `${day}: ${counted(sms, 'SMS message', 'SMS messages')}, ${counted(mms, 'MMS message', 'MMS messages')}`,
    loading: 'The chart is loading',
  },
  summary: (facts: { sms: number; segments: number; mms: number; busiest: string | null; most: number }) => {
    const sms = `${counted(facts.sms, 'SMS', 'SMS')} in ${counted(facts.segments, 'segment', 'segments')}`;
    const mms = counted(facts.mms, 'MMS', 'MMS');
    const busiest =
      facts.busiest === null
        ? ''
        : ` The busiest day was ${facts.busiest} with ${counted(facts.most, 'message', 'messages')}.`;
    return `${sms} and ${mms}.${busiest}`;
  },
  by: {
    label: 'Table by',
    day: 'Day',
    number: 'Number',
    campaign: 'Campaign',
    country: 'Country',
    carrier: 'Carrier',
    kind: 'Kind',
    key: 'API key',
  },
  none: { campaign: 'No campaign', country: 'Unknown country', other: 'None' },
  caption: (by: string) => `Usage by ${by.toLowerCase()}`,
  messages: { column: 'Messages', show: 'Show', of: (what: string) => `Show the messages: ${what}` },
  more: 'Show more',
  exportCsv: 'Export CSV',
  empty: {
    title: 'No traffic in this period.',
    next: 'It appears here about a second after a carrier has taken a message.',
    last: (month: string) => `The last traffic was in ${month}.`,
    show: 'Show that month',
    send: 'Send a message',
  },
  statement: {
    title: 'Monthly statement',
    what: 'A table (CSV): a line for each number, campaign, country and kind, and for each price of the month; the total last.',
    month: 'Month',
    download: 'Download CSV',
  },
  budget: {
    title: 'Monthly budget',
    what: 'What you mean to spend in a calendar month (UTC). From 80 % on it stands here and on Home. It only warns: nothing is refused for it.',
    amount: (currency: string | null) => (currency === null ? 'Amount' : `Amount in ${currency}`),
    help: 'Such as 250 or 99.50. Empty for none.',
    save: 'Save budget',
    none: 'No budget is set.',
    noPrices: 'It is held against nothing yet: no prices are set for this company.',
    used: (spent: string, monthly: string, currency: string, percent: number) =>
      `${currency} ${spent} of ${currency} ${monthly} used this month: ${numberText(percent)} %.`,
    within: 'Within',
    close: 'Nearly used up',
    over: 'Used up',
    bar: 'Share of the budget that is used',
  },
  outcomes: {
    title: 'What became of them',
    what: 'Messages by the day (UTC) on which they were accepted, with their present state.',
    partly: (looked: number) => `There were more: these are the newest ${numberText(looked)} of the period.`,
    by: { label: 'Outcomes by', day: 'Day', number: 'Number', campaign: 'Campaign' },
    caption: (by: string) => `Outcomes by ${by.toLowerCase()}`,
    columns: {
      delivered: 'Delivered',
      undelivered: 'Undelivered',
      failed: 'Not sent',
      expired: 'Expired',
      unconfirmed: 'No receipt',
      open: 'Under way',
    },
    all: 'All',
    share: 'Delivered, %',
    asTable: 'View as table: outcomes',
    asChart: 'View as chart: outcomes',
    chart: 'Outcomes by day; arrow keys go from day to day',
    day: (day: string, named: readonly (readonly [string, number])[]) =>
      `${day}: ${named.length === 0 ? 'none' : named.map(([word, count]) => `${word} ${numberText(count)}`).join(', ')}`,
    messages: (count: number, of: string) => `${counted(count, 'message', 'messages')}: ${of}`,
    exportCsv: 'Export outcomes as CSV',
    none: 'Nothing was accepted in this period.',
    noCampaign: 'No campaign',
  },
  prices: {
    title: 'Price book',
    caption: 'Prices and since when they count',
    from: 'From',
    sms: 'SMS, per segment',
    mms: 'MMS, per message',
    inForce: 'In force',
    later: 'Later',
    past: 'Past',
    state: 'State',
    set: 'Set prices',
    none: 'No prices are set for this company: messages are counted, and nothing is said of their cost. The operator of this gateway sets prices.',
  },
} as const;
