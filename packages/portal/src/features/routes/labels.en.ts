/** Sentences of the routing rules and their tester. */
const dayNames = { mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat', sun: 'Sun' } as const;
const dayOrder = Object.keys(dayNames) as (keyof typeof dayNames)[];

/** Consecutive days as a range: `Mon–Wed, Sat`. */
function daysText(days: readonly (keyof typeof dayNames)[]): string {
  const spans: number[][] = [];
  for (const day of dayOrder.filter((one) => days.includes(one))) {
    const at = dayOrder.indexOf(day);
    const last = spans.at(-1);
    if (last?.at(-1) === at - 1) last.push(at);
    else spans.push([at]);
  }
  const name = (at: number) => dayNames[dayOrder[at]!];
  return spans
    .flatMap((span) => (span.length < 3 ? span.map(name) : [`${name(span[0]!)}–${name(span.at(-1)!)}`]))
    .join(', ');
}

export interface Hours {
  days: readonly (keyof typeof dayNames)[];
  from: string;
  to: string;
}

export function hoursText({ days, from, to }: Hours): string {
  const which = days.length === dayOrder.length ? 'daily' : daysText(days);
  if (from === to && from === '00:00') return which;
  return `${which} ${from}–${to}${from < to ? '' : ' (next day)'}`;
}

function refusedText(kinds: readonly string[], prefix: string): string {
  const to = prefix === '' ? 'all numbers' : `numbers beginning with ${prefix}`;
  return `${kinds.join(' and ')} to ${to} that meet this rule would be refused with NO_ROUTE, though a later rule may fit.`;
}

export const routeLabels = {
  title: 'Routes',
  what: 'Which carrier a message goes over. Rules are looked at from the top: longer prefixes first, then more conditions, then the order you give them. Rules with the same place share by weight.',
  add: 'Add rule',
  cancel: 'Cancel',
  tabs: { rules: 'Rules', versions: 'Versions' },
  count: (shown: number, all: number) =>
    `${shown === all ? '' : `${shown} of `}${all === 1 ? '1 rule' : `${all} rules`}`,
  search: 'Search rules: id, number, campaign, carrier',
  exportCsv: 'Export CSV',
  nothingFits: {
    title: 'No rule fits',
    detail: 'Look for a part of its id, a campaign, a carrier, a sending number or a recipient.',
    clear: 'Show all rules',
  },
  empty: {
    title: 'No rules: nothing can be sent.',
    detail: 'A message that no rule fits is refused with NO_ROUTE. Add one for all numbers to begin with.',
  },
  columns: {
    rule: 'Rule',
    to: 'Recipients',
    from: 'Sender',
    only: 'Only for',
    carriers: 'Carriers, in failover order',
    place: 'Place',
    actions: 'Actions',
  },
  anyNumber: 'all numbers',
  anySender: 'any',
  anyKind: 'SMS and MMS',
  campaign: (id: string) => `campaign ${id}`,
  dayNames,
  hours: hoursText,
  prefix: (digits: string) => `beginning with ${digits}`,
  place: (priority: number, weight: number) => `priority ${priority}, weight ${weight}`,
  up: (id: string) => `Move ${id} up`,
  down: (id: string) => `Move ${id} down`,
  actions: (id: string) => `Actions of ${id}`,
  menu: 'Actions',
  edit: 'Edit',
  remove: 'Remove',
  dragHelp:
    'Drag a rule by its handle, or use its arrows. Rules move among those with the same prefix and as many conditions.',
  movedTo: (id: string, place: number, of: number) => `${id} is rule ${place} of ${of} in the draft now.`,
  fixedPlace: 'Its place follows from its prefix and conditions.',
  form: {
    addTitle: 'Add a rule',
    editTitle: (id: string) => `Edit ${id}`,
    id: 'Id',
    idHelp: 'For people: letters, digits, dots and dashes.',
    environment: 'Environment',
    prefix: 'Recipients beginning with',
    prefixHelp: 'Digits such as 1 or 44. Empty: all numbers.',
    number: 'Only from this sending number',
    numberHelp: 'Empty: any.',
    kind: 'Kind',
    campaign: 'Only for this campaign',
    anyCampaign: 'any campaign',
    campaignOf: (name: string, company: string) => `${name}, ${company}`,
    hours: 'Only at certain times',
    hoursHelp: 'By the time zone of the company that sends (Settings, Company); UTC where it has none.',
    days: 'Days on which it begins',
    from: 'From',
    to: 'Until',
    timeHelp: 'Like 08:00. Until not later than from: into the next day.',
    gap: 'Outside these times the rule is as if it were not there: keep one without times behind it.',
    carriers: 'Carriers, in failover order',
    carriersHelp: 'The first that is up takes the message.',
    carrier: (place: number) => `Carrier ${place}`,
    noCarrier: 'none',
    weight: 'Weight among equal rules',
    priority: 'Priority',
    priorityHelp: 'The lower comes first among rules with the same prefix and as many conditions.',
    save: 'Put into the draft',
  },
  /** For a rule whose carriers do not take all its messages. */
  untaken: {
    title: (kinds: readonly string[]) => `None of its carriers takes ${kinds.join(' and ')}`,
    detail: (kinds: readonly string[], prefix: string) =>
      `${refusedText(kinds, prefix)} Choose the kind, or add a carrier that takes ${kinds.join(' and ')}.`,
    rule: (id: string, kinds: readonly string[], prefix: string) =>
      `${id}: none of its carriers takes ${kinds.join(' and ')}. ${refusedText(kinds, prefix)}`,
    rules: (n: number) =>
      n === 1
        ? '1 rule is for messages that its carriers do not take'
        : `${n} rules are for messages that their carriers do not take`,
    confirm: 'Publish it so: these messages are to be refused',
  },
  discardDialog: {
    title: 'Discard the draft?',
    what: (n: number) =>
      `${n === 1 ? '1 changed rule is' : `${n} changed rules are`} lost. The published rules stay as they are. It cannot be undone.`,
    go: 'Discard the draft',
    stay: 'Keep the draft',
  },
  removeDialog: {
    title: (id: string) => `Remove ${id}?`,
    consequence:
      'It goes out of the draft. Once that is published, new messages that only this rule fits are refused with NO_ROUTE; what waits for a carrier already stays there.',
    go: 'Remove rule',
  },
  draft: {
    title: (n: number) => `Draft: ${n === 1 ? '1 rule differs' : `${n} rules differ`} from what is published`,
    detail:
      'Only this tab has it. See what it would change, then publish it; until then messages go by the published rules.',
    impact: 'See what would change',
    discard: 'Discard the draft',
    caption: 'What the draft changes',
    columns: { rule: 'Rule', how: 'What', fields: 'Fields' },
    how: { added: 'added', changed: 'changed', removed: 'removed' },
    nothing: 'none',
    field: (name: string, before: string, after: string) => `${name}: ${before} ⇒ ${after}`,
    value: (name: string, value: string) => `${name}: ${value}`,
    fields: {
      environment: 'environment',
      prefix: 'recipients beginning with',
      number: 'sender',
      kind: 'kind',
      campaignId: 'campaign',
      hours: 'times',
      carrierIds: 'carriers',
      weight: 'weight',
      priority: 'priority',
    },
    behind: {
      title: 'Somebody published other rules meanwhile',
      detail:
        'Your draft began with earlier rules. Below stands what they changed, and below that what you change. Bring your changes over theirs (a rule that both changed is as you want it), or discard your draft.',
      rebase: 'Bring my changes over theirs',
      theirs: 'What they changed',
    },
  },
  impact: {
    title: 'What would change',
    noMessages: 'No message was sent yet that it could be tried on.',
    summary: (looked: number, moved: number) =>
      moved === 0
        ? `The last ${looked === 1 ? 'message' : `${looked} messages`} would all go the same way.`
        : `Of the last ${looked === 1 ? 'message' : `${looked} messages`} ${moved === 1 ? '1 would' : `${moved} would`} go another way.`,
    refused: (n: number) =>
      `${n === 1 ? '1 of them' : `${n} of them`} would go nowhere: refused with NO_ROUTE, all or in part.`,
    caption: 'Messages that would go another way',
    columns: { before: 'Goes to', after: 'Would go to', count: 'Messages', examples: 'For example' },
    nowhere: 'nowhere (NO_ROUTE)',
    share: (carrier: string, percent: number) => `${carrier} ${percent} %`,
    consequence:
      'Published rules count for new messages at once. What waits for a carrier already stays there. The rules as they are now stay among the versions.',
    back: 'Back to the draft',
    publish: 'Publish',
  },
  versions: {
    what: 'The rules after each change, whoever made it and however; the last 200.',
    caption: 'Versions of the rules, newest first',
    columns: { version: 'Version', at: 'Time', who: 'Who', what: 'What', actions: 'Actions' },
    before: 'as found',
    now: 'as published now',
    rules: (n: number) => (n === 1 ? '1 rule' : `${n} rules`),
    compare: 'Compare',
    compareThis: (version: number) => `version ${version}`,
    compareTitle: (version: number) => `From the rules of now to version ${version}`,
    compareCaption: 'What going back would change',
    consequence: 'Taking it into a draft changes nothing yet: you see what would change before you publish it.',
    replaces: 'It takes the place of the draft that you have.',
    restore: 'Take it into a draft',
    empty: {
      title: 'No change of the rules was kept yet.',
      detail: 'With the next one the rules before it are kept too.',
    },
  },
  tester: {
    title: 'Where would it go?',
    what: 'Looks only; nothing is sent.',
    from: 'From',
    to: 'To',
    needed: 'Write a telephone number, with its country, such as 1 202 555 0100.',
    kind: 'Kind',
    when: 'Day',
    now: 'now',
    clock: 'Time of day',
    clockHelp: 'Of the company that sends, like 08:00.',
    facts: (campaign: string | null, local: string, zone: string) =>
      `Looked at as ${campaign === null ? 'a sender without a campaign' : `campaign ${campaign}`}, ${local} in ${zone}.`,
    local: (day: keyof typeof dayNames, clock: string) => `${dayNames[day]} ${clock}`,
    go: 'Test',
    published: 'It looks at the published rules, not at your draft.',
    unknownSender: 'This sender is no number of this gateway; rules of the live environment were looked at.',
    caption: 'Every rule in the order in which it is looked at',
    columns: { rule: 'Rule', verdict: 'Fits?', why: 'Why', carriers: 'Carriers' },
    refusals: { none: 'It has a way', part: 'Some of such messages are refused', all: 'It is refused: NO_ROUTE' },
    noCarrier: 'fits, and no carrier takes it',
    taken: 'taken',
    shared: (percent: number) => `taken, ${percent} %`,
    behind: 'fits, behind another',
    no: 'no',
    misses: {
      environment: ({ environment }: { environment: string }) => `other environment: only ${environment}`,
      prefix: ({ prefix }: { prefix: string }) => `other prefix: only recipients beginning with ${prefix}`,
      number: ({ number }: { number: string | null }) => `other sender: only from ${number}`,
      kind: ({ kind }: { kind: string | null }) => `other kind: only ${kind}`,
      campaign: ({ campaignId = '' }: { campaignId?: string }) => `other campaign: only ${campaignId}`,
      hours: ({ hours }: { hours?: Hours }) => `other time: only ${hours === undefined ? '' : hoursText(hours)}`,
    },
    fits: 'every condition holds',
    carrierStates: { off: 'switched off', kind: 'does not take this kind', up: 'up', down: 'down', paused: 'paused' },
  },
} as const;
