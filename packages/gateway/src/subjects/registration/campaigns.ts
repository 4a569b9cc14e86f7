/**
 * Campaigns: drafts, checks, submission, and the outcome that the operator records by hand. Content can be edited in a
 * draft, or when carriers ask for changes; never after approval. No registry is connected.
 */
import type { AccountId } from '../../kernel/ids.ts';
import { pacingFor } from '../../messaging/pace/pacing-limits.ts';
import type { Directory } from '../../model/directory.ts';
import { fault, type Person, type Refusal } from '../../model/person.ts';
import type { Campaign, CampaignStatus, Environment } from '../../model/records.ts';
import {
  type CampaignForm,
  type CampaignHistoryEntry,
  type CampaignReason,
  type CarrierStatuses,
  emptyRegistration,
  type Pacing,
  registrationLimits,
} from '../../model/registration.ts';
import { ownBrand } from './brands.ts';
import { campaignChecks, outcomesOf } from './campaign-rules.ts';
import type { Check } from './check.ts';
import { createEdits, type EditOutcome, isSeen, type Made, type RegistrationParts } from './edits.ts';

/** The operator's findings about a submitted campaign. */
export interface CampaignOutcome {
  status: CampaignStatus;
  note: string;
  reasons: CampaignReason[];
  tcrId?: string;
  carriers?: CarrierStatuses;
  /**
   * `tables`: the limits of the networks' tables; left out = unchanged, or the tables when a live campaign is approved.
   */
  pacing?: Pacing | 'tables' | null;
  /** Ids of files that prove it, already stored with the campaign. */
  evidence?: string[];
}

export interface CampaignService {
  /** Ordered by name. */
  list(accountId: AccountId, environment: Environment): Campaign[];
  /** Submitted and undecided, over all companies; for the operator. */
  waiting(): Campaign[];
  /** `anyone`: from any company, for the operator. */
  get(accountId: AccountId, campaignId: string, anyone: boolean): Campaign | null;
  add(person: Person, environment: Environment, form: Partial<CampaignForm>): Promise<EditOutcome<Campaign>>;
  change(
    person: Person,
    campaignId: string,
    change: Partial<CampaignForm>,
    version: string | null,
  ): Promise<EditOutcome<Campaign>>;
  checks(campaign: Campaign): Check[];
  submit(person: Person, campaignId: string, version: string | null): Promise<EditOutcome<Campaign>>;
  withdraw(person: Person, campaignId: string): Promise<EditOutcome<Campaign>>;
  /** For a campaign of any company. */
  outcome(person: Person, campaignId: string, outcome: CampaignOutcome): Promise<EditOutcome<Campaign>>;
}

const editable: readonly CampaignStatus[] = ['draft', 'changes_needed'];
const undecided: readonly CampaignStatus[] = ['submitted', 'in_review'];
const missing: Refusal = { kind: 'missing', detail: 'Your company has no such campaign.' };

export function createCampaignService(parts: RegistrationParts): CampaignService {
  const edits = createEdits(parts);
  const { clock } = parts;

  /** One edit of the person's own campaign, if it is unchanged since they read it. */
  function onOwn(
    person: Person,
    campaignId: string,
    version: string | null,
    make: (before: Campaign, directory: Directory) => Made<Campaign>,
  ): Promise<EditOutcome<Campaign>> {
    return edits.edit('campaigns', person, (directory) => {
      const before = directory.campaign(campaignId);
      if (before?.accountId !== person.user.accountId) return missing;
      return isSeen(before, version) ? make(before, directory) : { kind: 'stale', current: before };
    });
  }

  const entry = (
    person: Person,
    what: CampaignHistoryEntry['what'],
    status: CampaignStatus,
    more: Partial<CampaignHistoryEntry> = {},
  ): CampaignHistoryEntry => ({
    at: clock.now(),
    who: person.user.name || person.user.email,
    what,
    status,
    version: 0,
    note: '',
    reasons: [],
    ...more,
  });

  return {
    list: (accountId, environment) =>
      parts
        .directory()
        .records.campaigns.filter((one) => one.accountId === accountId && one.environment === environment)
        .sort((a, b) => a.name.localeCompare(b.name)),
    waiting: () => parts.directory().records.campaigns.filter(({ status }) => undecided.includes(status)),
    get: (accountId, campaignId, anyone) => {
      const campaign = parts.directory().campaign(campaignId);
      return campaign !== undefined && (anyone || campaign.accountId === accountId) ? campaign : null;
    },
    add: (person, environment, form) => {
      const campaignId = parts.ids.next('cmp_');
      return edits.edit('campaigns', person, (directory) => {
        const { accountId } = person.user;
        const count = directory.records.campaigns.filter((one) => one.accountId === accountId).length;
        if (count >= registrationLimits.campaignsPerAccount) return tooMany;
        const fresh: Campaign = {
          campaignId,
          accountId,
          environment,
          name: '',
          status: 'draft' as const,
          optOutText: null,
          optInText: null,
          helpText: null,
          registration: emptyRegistration(),
          history: [entry(person, 'created', 'draft')],
        };
        const record = filledIn(fresh, form);
        const wrong = formFault(directory, record);
        return wrong ?? { kind: 'made', record, before: null, what: 'campaign.added', target: campaignId };
      });
    },
    change: (person, campaignId, change, version) =>
      onOwn(person, campaignId, version, (before, directory) => {
        if (!editable.includes(before.status) && Object.keys(change).some((name) => name !== 'name'))
          return agreed(before);
        const record = filledIn(before, change);
        const wrong = formFault(directory, record);
        return wrong ?? { kind: 'made', record, before, what: 'campaign.changed', target: campaignId };
      }),
    checks: (campaign) => checksOf(parts.directory(), campaign),
    submit: (person, campaignId, version) =>
      onOwn(person, campaignId, version, (before, directory) => {
        if (!editable.includes(before.status)) return agreed(before);
        const failing = checksOf(directory, before).filter(({ ok }) => !ok);
        if (failing.length > 0) {
          return {
            kind: 'fields',
            fields: Object.fromEntries(failing.map(({ field, sentence }) => [field, sentence])),
          };
        }
        const { versions = [], history = [] } = before;
        const version = (versions.at(-1)?.version ?? 0) + 1;
        const sent = { version, at: clock.now(), form: formOf(before) };
        const record: Campaign = {
          ...before,
          status: 'submitted',
          versions: [...versions, sent].slice(-registrationLimits.versions),
          history: keptHistory(history, entry(person, 'submitted', 'submitted', { version })),
        };
        return { kind: 'made', record, before, what: 'campaign.submitted', target: campaignId };
      }),
    withdraw: (person, campaignId) =>
      onOwn(person, campaignId, null, (before) => {
        if (!undecided.includes(before.status)) {
          return { kind: 'conflict', detail: 'Only a campaign that waits for its outcome can be taken back.' };
        }
        const version = before.versions?.at(-1)?.version ?? 0;
        const history = keptHistory(before.history ?? [], entry(person, 'withdrawn', 'draft', { version }));
        const record: Campaign = { ...before, status: 'draft', history };
        return { kind: 'made', record, before, what: 'campaign.withdrawn', target: campaignId };
      }),
    outcome: (person, campaignId, outcome) =>
      edits.edit('campaigns', person, (directory) => {
        const before = directory.campaign(campaignId);
        if (before === undefined) return missing;
        const wrong = outcomeFault(before, outcome);
        if (wrong !== null) return wrong;
        const { status, note, reasons, evidence = [] } = outcome;
        const version = before.versions?.at(-1)?.version ?? 0;
        const outcomeEntry = entry(person, 'outcome', status, {
          version,
          note,
          reasons,
          ...(evidence.length > 0 && { evidence }),
        });
        const { pacing: _, ...rest } = before;
        const pacing = pacingAfter(directory, before, outcome);
        const record: Campaign = {
          ...rest,
          status,
          ...(pacing !== null && { pacing }),
          carriers: { ...before.carriers, ...outcome.carriers },
          registration: {
            ...(before.registration ?? emptyRegistration()),
            ...(outcome.tcrId !== undefined && { tcrId: outcome.tcrId }),
          },
          history: keptHistory(before.history ?? [], outcomeEntry),
        };
        return { kind: 'made', record, before, what: 'campaign.outcome', target: campaignId };
      }),
  };
}

/** The form fields of a campaign, even if it was created without a form. */
export function formOf(campaign: Campaign): CampaignForm {
  const { tcrId: _, ...registered } = campaign.registration ?? emptyRegistration();
  const { name, optOutText, optInText, helpText } = campaign;
  return {
    ...registered,
    name,
    optOutText: optOutText ?? '',
    optInText: optInText ?? '',
    helpText: helpText ?? '',
  };
}

function filledIn(before: Campaign, change: Partial<CampaignForm>): Campaign {
  const { name, optOutText, optInText, helpText, flags, ...rest } = { ...formOf(before), ...change };
  const { tcrId, flags: earlier } = before.registration ?? emptyRegistration();
  const orTemplate = (text: string): string | null => (text.trim() === '' ? null : text);
  return {
    ...before,
    name,
    optOutText: orTemplate(optOutText),
    optInText: orTemplate(optInText),
    helpText: orTemplate(helpText),
    registration: { ...rest, flags: { ...earlier, ...flags }, tcrId },
  };
}

function formFault(directory: Directory, { accountId, environment, registration, name }: Campaign): Refusal | null {
  if (name.trim() === '') return fault('name', 'Give the campaign a name.');
  const brandId = registration?.brandId ?? null;
  if (brandId === null) return null;
  const brand = ownBrand(directory, accountId, brandId);
  if (brand === null) return fault('brandId', 'Your company has no such brand.');
  return brand.environment === environment
    ? null
    : fault('brandId', 'Sandbox and live never mix: choose another brand.');
}

function checksOf(directory: Directory, campaign: Campaign): Check[] {
  const form = formOf(campaign);
  const brand = form.brandId === null ? null : ownBrand(directory, campaign.accountId, form.brandId);
  return campaignChecks(form, brand ?? undefined);
}

function keptHistory(history: readonly CampaignHistoryEntry[], newest: CampaignHistoryEntry): CampaignHistoryEntry[] {
  return [...history, newest].slice(-registrationLimits.history);
}

function outcomeFault(before: Campaign, { status, note, reasons, evidence = [] }: CampaignOutcome): Refusal | null {
  const possible = outcomesOf[before.status];
  if (possible.length === 0) return notSentIn;
  if (!possible.includes(status)) {
    const detail = `A campaign that is ${before.status} cannot become ${status}. Choose one of: ${possible.join(', ')}.`;
    return fault('status', detail);
  }
  if (note.trim() === '') return fault('note', 'Write down where this outcome is from.');
  const known = new Set((before.evidence ?? []).map(({ evidenceId }) => evidenceId));
  if (!evidence.every((id) => known.has(id))) return fault('evidence', 'The campaign has no such file.');
  return status === 'changes_needed' && reasons.length === 0
    ? fault('reasons', 'Say what has to change: at least one reason.')
    : null;
}

function pacingAfter(directory: Directory, before: Campaign, { pacing, status }: CampaignOutcome): Pacing | null {
  const tables = () => {
    const registration = before.registration ?? emptyRegistration();
    const brand = registration.brandId === null ? undefined : directory.brand(registration.brandId);
    return pacingFor(brand, registration);
  };
  if (pacing === 'tables') return tables();
  if (pacing !== undefined) return pacing;
  // Only for campaigns from the portal: a campaign of a records file keeps its speed until somebody sets a limit.
  const first = before.pacing === undefined && status === 'approved' && before.status !== 'approved';
  const wentIn = before.environment === 'live' && (before.versions ?? []).length > 0;
  return first && wentIn ? tables() : (before.pacing ?? null);
}

function agreed({ status }: Campaign): Refusal {
  const why = undecided.includes(status)
    ? 'It waits for its outcome. Take it back first.'
    : `It is ${status}: what carriers agreed to stays as it is. Make another campaign.`;
  return { kind: 'conflict', detail: `Only its name can be changed. ${why}` };
}

const notSentIn: Refusal = {
  kind: 'conflict',
  detail: 'It is not sent in: there is nothing to write down until its company submits it. Nothing was changed.',
};
const tooMany: Refusal = {
  kind: 'conflict',
  detail: `Your company has ${registrationLimits.campaignsPerAccount} campaigns, the most it may have.`,
};
