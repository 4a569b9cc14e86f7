/** Brands and campaigns from the gateway, their queries, and where in the form a field is. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { ApiError, api } from '../../api/client';
import type { Environment } from '../../api/session';

export interface Check {
  rule: string;
  ok: boolean;
  sentence: string;
  field: string;
}

export const flagNames = [
  'embeddedLink',
  'embeddedPhone',
  'numberPool',
  'ageGated',
  'directLending',
  'affiliateMarketing',
] as const;
export type FlagName = (typeof flagNames)[number];

export interface CampaignForm {
  name: string;
  brandId: string | null;
  useCase: string;
  description: string;
  messageFlow: string;
  samples: string[];
  optInKeywords: string[];
  optOutKeywords: string[];
  helpKeywords: string[];
  flags: Record<FlagName, boolean>;
  privacyUrl: string;
  termsUrl: string;
  optInText: string;
  optOutText: string;
  helpText: string;
}

export interface CampaignRow {
  campaignId: string;
  environment: Environment;
  name: string;
  status: string;
  numbers: number;
  useCase: string;
  brandId: string | null;
  brandName: string | null;
  company: string;
  updatedAt: string | null;
}

export interface Pacing {
  segmentsPerMinute: number | null;
  mmsPerMinute: number | null;
  segmentsPerDay: number | null;
}

export interface LimitUse {
  used: number;
  limit: number;
}

export interface Reason {
  field: string;
  sentence: string;
}

export interface HistoryEntry {
  at: string;
  who: string;
  what: string;
  status: string;
  version: number;
  note: string;
  reasons: Reason[];
  evidence?: string[];
}

export interface EvidenceFile {
  evidenceId: string;
  fileName: string;
  type: string;
  sizeBytes: number;
  at: string;
  who: string;
}

export interface Campaign extends CampaignRow {
  /** The outcomes that the operator may record now; none for a draft. */
  outcomes: string[];
  version: string;
  form: CampaignForm;
  checks: Check[];
  useCases: { name: string; samplesMin: number }[];
  tcrId: string;
  numberList: { number: string; name: string }[];
  carriers: Readonly<Record<string, string>>;
  pacing: Pacing | null;
  tables: { pacing: Pacing; date: string; sources: string[] };
  use: {
    segmentsThisMinute: LimitUse | null;
    mmsThisMinute: LimitUse | null;
    segmentsToday: (LimitUse & { resetsAt: string }) | null;
  };
  evidence: EvidenceFile[];
  history: HistoryEntry[];
  versions: { version: number; at: string; form: CampaignForm }[];
}

export const brandFieldNames = [
  'legalName',
  'displayName',
  'ein',
  'einCountry',
  'street',
  'city',
  'region',
  'postalCode',
  'country',
  'phone',
  'email',
  'website',
  'stockSymbol',
  'stockExchange',
] as const;
export type BrandField = (typeof brandFieldNames)[number];

export type BrandForm = Record<BrandField, string> & { entityType: string; vertical: string };

export interface Brand extends BrandForm {
  brandId: string;
  tcrId: string;
  identityStatus: string;
  vettingScore: number | null;
  version: string;
  checks: Check[];
  websiteCheck: { url: string; at: string; ok: boolean; sentence: string } | null;
  evidence: EvidenceFile[];
}

export function useCampaigns() {
  return useQuery({ queryKey: ['campaigns'], queryFn: async () => (await api.get('/campaigns')).data });
}

/** Puts a brand from an answer into the query cache. */
export function useShownBrand(): (brand: Brand) => void {
  const client = useQueryClient();
  return (brand) =>
    client.setQueryData<Brand[]>(['brands'], (list) =>
      list?.map((one) => (one.brandId === brand.brandId ? brand : one)),
    );
}

/** Over all companies, for the operator. */
export function useWaitingCampaigns(enabled: boolean) {
  return useQuery({
    queryKey: ['campaigns', 'waiting'],
    queryFn: async () => (await api.get('/campaigns', { query: { waiting: true } })).data,
    enabled,
  });
}

export function useCampaign(campaignId: string) {
  return useQuery({
    queryKey: ['campaign', campaignId],
    queryFn: async () => (await api.get('/campaigns/:campaignId', { campaignId })).data,
  });
}

export function useBrands() {
  return useQuery({ queryKey: ['brands'], queryFn: async () => (await api.get('/brands')).data });
}

/** A step of a campaign: its answer is the new state. */
export function useCampaignAct(campaignId: string, act: 'submit' | 'withdraw' | 'outcome') {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (body: object) => (await api.post(`/campaigns/:campaignId/${act}`, body, { campaignId })).data,
    onSuccess: (data) => client.setQueryData(['campaign', campaignId], data),
    onSettled: () => client.invalidateQueries({ queryKey: ['campaigns'] }),
  });
}

/** The current record, from an answer that reports somebody else's change. */
export function conflictOf<T>(error: unknown): T | null {
  if (!(error instanceof ApiError) || error.status !== 409) return null;
  return (error.data as { current?: T } | undefined)?.current ?? null;
}

/** A campaign that was approved and then stopped: its numbers cannot send. */
export const isStopped = (status: string): boolean => status === 'suspended' || status === 'expired';

/** The current step, from 0: draft, checks, submitted, carrier review, numbers; 5 = all done. */
export function stepNow({
  status,
  checks,
  numberList,
}: {
  status: string;
  checks: readonly { ok: boolean }[];
  numberList: readonly unknown[];
}): number {
  if (status === 'submitted') return 2;
  // A stopped campaign needs a new decision of the carriers.
  if (status === 'in_review' || isStopped(status)) return 3;
  // Nothing is submitted automatically, even if every rule is kept.
  if (isEditable(status)) return checks.every(({ ok }) => ok) ? 1 : 0;
  return numberList.length === 0 ? 4 : 5;
}

/** The history entry of the current status: who, when, and why. */
export function lastTurn({ status, history }: Pick<Campaign, 'status' | 'history'>): HistoryEntry | undefined {
  const at = history.findLastIndex((entry, at) => entry.status === status && history[at - 1]?.status !== status);
  return history[at];
}

export const isEditable = (status: string): boolean => status === 'draft' || status === 'changes_needed';

const stepsOfFields: readonly (readonly string[])[] = [
  ['name', 'brandId', 'useCase'],
  ['description', 'messageFlow'],
  ['optInText', 'optOutText', 'helpText', 'optInKeywords', 'optOutKeywords', 'helpKeywords'],
  ['samples'],
  ['flags', 'privacyUrl', 'termsUrl'],
];

/** The page of the form (from 0) of `samples.1` or `helpText`. */
export function stepOf(field: string): number {
  const [name = ''] = field.split('.');
  return Math.max(
    0,
    stepsOfFields.findIndex((fields) => fields.includes(name)),
  );
}

/** The page of the form that lists all rules. */
export const checksId = 'checks';

/**
 * Broken rules on pages that the person has left: a page not yet visited shows no faults. The list of all rules counts
 * as a visit to every page.
 */
export function openRules({ checks, status }: Pick<Campaign, 'checks' | 'status'>, seen: ReadonlySet<string>): number {
  const all = seen.has(checksId) || status !== 'draft';
  return checks.filter(({ ok, field }) => !ok && (all || seen.has(String(stepOf(field))))).length;
}

/** Fields in the order of the form. */
export const formFields = stepsOfFields.flat() as (keyof CampaignForm)[];

/** Differing fields, as texts. */
export function differences(left: CampaignForm, right: CampaignForm): { field: string; left: string; right: string }[] {
  return formFields
    .map((field) => ({ field, left: readable(left[field]), right: readable(right[field]) }))
    .filter((one) => one.left !== one.right);
}

function readable(value: CampaignForm[keyof CampaignForm]): string {
  if (value === null) return '';
  if (Array.isArray(value)) return value.join('\n');
  if (typeof value === 'object') return flagNames.filter((name) => value[name]).join('\n');
  return value;
}

/** `STOP, END` as a list and back. */
export function keywordsOf(text: string): string[] {
  return text
    .split(',')
    .map((word) => word.trim())
    .filter((word) => word !== '');
}
