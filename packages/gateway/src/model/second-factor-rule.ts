/** Which roles must use a second factor, and the grace period to set it up. Pure; the portal's guard enforces it. */
import { dayMs, type EpochMs } from '../kernel/clock.ts';
import { type Role, roles } from './roles.ts';

export interface SecondFactorRule {
  /** At least one. */
  roles: Role[];
  /** Days that a person has, from `since` or from when they joined, whichever is later. */
  graceDays: number;
  /** When the rule was last made stricter. */
  since: EpochMs;
}

interface SecondFactors {
  totp: object | null;
  passkeys: readonly object[];
}

/** Whether the password alone is not enough to sign this person in. */
export function hasSecondFactor({ totp, passkeys }: SecondFactors): boolean {
  return totp !== null || passkeys.length > 0;
}

export const graceDaysMax = 90;

/**
 * The deadline for a person to set theirs up; null = none, or it is done. `from`: when the operator requires it of
 * everybody; people who join later get no grace period.
 */
export function secondFactorDue(
  rule: SecondFactorRule | undefined,
  user: SecondFactors & { role: Role; createdAt: EpochMs },
  from: EpochMs | null = null,
): EpochMs | null {
  if (hasSecondFactor(user)) return null;
  const dues: EpochMs[] = [];
  if (rule?.roles.includes(user.role) === true) {
    dues.push(Math.max(rule.since, user.createdAt) + rule.graceDays * dayMs);
  }
  if (from !== null) dues.push(Math.max(from, user.createdAt));
  return dues.length === 0 ? null : Math.min(...dues);
}

export interface SecondFactorForm {
  roles: readonly string[];
  graceDays: number;
}

/** The rule with the form's values (undefined = no rule), or the faults by field. */
export function changedSecondFactor(
  before: SecondFactorRule | undefined,
  form: SecondFactorForm,
  now: EpochMs,
): { rule: SecondFactorRule | undefined } | { faults: Partial<Record<keyof SecondFactorForm, string>> } {
  const wanted = roles.filter((role) => form.roles.includes(role));
  const faults: Partial<Record<keyof SecondFactorForm, string>> = {};
  if (!form.roles.every((role) => (roles as readonly string[]).includes(role))) {
    faults.roles = `Choose from: ${roles.join(', ')}.`;
  }
  if (!Number.isInteger(form.graceDays) || form.graceDays < 0 || form.graceDays > graceDaysMax) {
    faults.graceDays = `Write whole days from 0 to ${graceDaysMax}.`;
  }
  if (Object.keys(faults).length > 0) return { faults };
  if (wanted.length === 0) return { rule: undefined };
  const isStricter =
    before === undefined || wanted.some((role) => !before.roles.includes(role)) || form.graceDays !== before.graceDays;
  return { rule: { roles: wanted, graceDays: form.graceDays, since: isStricter ? now : before.since } };
}
