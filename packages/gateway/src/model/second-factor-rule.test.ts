import { describe, expect, it } from 'vitest';
import { changedSecondFactor, secondFactorDue } from './second-factor-rule.ts';

const day = 86_400_000;
const owner = { role: 'Owner', totp: null, passkeys: [], createdAt: 0 } as const;
const passkey = {
  ...{ passkeyId: '', credentialId: '', publicKey: '', counter: 0, transports: [], backedUp: false, name: '' },
  ...{ createdAt: 0, lastUsedAt: null },
};
const rule = { roles: ['Owner' as const], graceDays: 7, since: 10 * day };

describe('a second factor', () => {
  it('is due days after the requirement began, or after the person joined', () => {
    expect(secondFactorDue(rule, owner)).toBe(17 * day);
    expect(secondFactorDue(rule, { ...owner, createdAt: 20 * day })).toBe(27 * day);
  });

  it('is never due for people who have one, for other roles, or without a requirement', () => {
    expect(secondFactorDue(rule, { ...owner, totp: { secret: '', lastStep: 0, since: 0 } })).toBeNull();
    expect(secondFactorDue(rule, { ...owner, passkeys: [passkey] }, 0)).toBeNull();
    expect(secondFactorDue(rule, { ...owner, role: 'Admin' })).toBeNull();
    expect(secondFactorDue(undefined, owner)).toBeNull();
  });

  it('is due for everybody from the operator’s day on, or from the company’s, whichever comes first', () => {
    const admin = { ...owner, role: 'Admin' } as const;
    expect(secondFactorDue(undefined, admin, 12 * day)).toBe(12 * day);
    expect(secondFactorDue(undefined, { ...admin, createdAt: 20 * day }, 12 * day)).toBe(20 * day);
    expect(secondFactorDue(rule, owner, 12 * day)).toBe(12 * day);
    expect(secondFactorDue(rule, owner, 30 * day)).toBe(17 * day);
  });

  it('restarts the time when the requirement grows, and not when it shrinks', () => {
    const now = 30 * day;
    const change = (roles: string[], graceDays: number) => changedSecondFactor(rule, { roles, graceDays }, now);
    expect(change(['Owner'], 7)).toEqual({ rule });
    expect(change(['Viewer', 'Owner'], 7)).toEqual({ rule: { roles: ['Owner', 'Viewer'], graceDays: 7, since: now } });
    expect(change(['Owner'], 1)).toEqual({ rule: { ...rule, graceDays: 1, since: now } });
    const two = { ...rule, roles: ['Owner' as const, 'Admin' as const] };
    expect(changedSecondFactor(two, { roles: ['Owner'], graceDays: 7 }, now)).toEqual({ rule });
    expect(change([], 7)).toEqual({ rule: undefined });
  });

  it.each([
    [['King'], 7, ['roles']],
    [['Owner'], 91, ['graceDays']],
    [['Owner'], 1.5, ['graceDays']],
    [['King'], -1, ['roles', 'graceDays']],
  ])('says what is wrong with %s and %s days', (roles, graceDays, fields) => {
    const changed = changedSecondFactor(undefined, { roles, graceDays }, 0);
    expect(Object.keys('faults' in changed ? changed.faults : {})).toEqual(fields);
  });
});
