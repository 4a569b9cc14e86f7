/** The operator's form for a campaign's review result. */
import type { Answer } from '../../http/exchange.ts';
import { fieldFaults } from '../../http/portal/answers.ts';
import { optional, optionalTexts, optionalWholeOrNull, ownField, readForm, required } from '../../http/portal/forms.ts';
import { evidenceLimits } from '../../model/evidence.ts';
import { type CampaignReason, type CarrierStatuses, carrierNames, type Pacing } from '../../model/registration.ts';
import type { CampaignOutcome } from './campaigns.ts';

const decided = ['in_review', 'changes_needed', 'approved', 'suspended', 'expired'] as const;
const carrierWords = ['in_review', 'approved', 'rejected'] as const;
const reasonsMax = 30;
const limitMax = 10_000_000;

type Read<T> = { ok: true; value: T } | { ok: false; answer: Answer<never> };

export const outcomeFields = {
  status: { ...required, oneOf: decided },
  note: { ...required, charactersMax: 4_096 },
  tcrId: optional,
  evidence: optionalTexts(evidenceLimits.perRecord, 64),
  version: optional,
  reasons: ownField,
  carriers: ownField,
  pacing: ownField,
} as const;

export function readOutcome(
  body: unknown,
): { ok: true; outcome: CampaignOutcome } | { ok: false; answer: Answer<never> } {
  const read = readForm(body, outcomeFields);
  if (!read.ok) return read;
  const { reasons, carriers, pacing } = read.form;
  const parts = { reasons: readReasons(reasons), carriers: readCarriers(carriers), pacing: readPacing(pacing) };
  for (const part of Object.values(parts)) if (!part.ok) return part;
  const { status, note, tcrId, evidence } = read.form;
  const value = <T>(part: Read<T>): T => (part as { value: T }).value;
  const carrierStatuses = value(parts.carriers);
  const limits = value(parts.pacing);
  return {
    ok: true,
    outcome: {
      status: status as CampaignOutcome['status'],
      note,
      reasons: value(parts.reasons),
      ...(tcrId !== undefined && { tcrId }),
      ...(evidence !== undefined && { evidence }),
      ...(carrierStatuses !== undefined && { carriers: carrierStatuses }),
      ...(limits !== undefined && { pacing: limits }),
    },
  };
}

function readReasons(value: unknown): Read<CampaignReason[]> {
  if (value === undefined) return { ok: true, value: [] };
  const fault = {
    ok: false as const,
    answer: fieldFaults({ reasons: `Give at most ${reasonsMax} reasons, each with its sentence.` }),
  };
  if (!Array.isArray(value) || value.length > reasonsMax) return fault;
  const reasons: CampaignReason[] = [];
  for (const one of value) {
    const read = readForm(one, {
      field: { ...optional, charactersMax: 40 },
      sentence: { ...required, charactersMax: 1_024 },
    });
    if (!read.ok || read.form.sentence.trim() === '') return fault;
    reasons.push({ field: read.form.field ?? '', sentence: read.form.sentence.trim() });
  }
  return { ok: true, value: reasons };
}

function readCarriers(value: unknown): Read<CarrierStatuses | undefined> {
  if (value === undefined) return { ok: true, value: undefined };
  const word = { ...optional, oneOf: carrierWords } as const;
  const read = readForm(value, Object.fromEntries(carrierNames.map((name) => [name, word])));
  return read.ok ? { ok: true, value: read.form as CarrierStatuses } : read;
}

function readPacing(value: unknown): Read<CampaignOutcome['pacing']> {
  if (value === undefined || value === null || value === 'tables') return { ok: true, value };
  const limit = optionalWholeOrNull(1, limitMax);
  const read = readForm(value, { segmentsPerMinute: limit, mmsPerMinute: limit, segmentsPerDay: limit });
  if (!read.ok) return read;
  const { segmentsPerMinute = null, mmsPerMinute = null, segmentsPerDay = null } = read.form;
  const pacing: Pacing = { segmentsPerMinute, mmsPerMinute, segmentsPerDay };
  return { ok: true, value: pacing };
}
