/** A records file beside the portal: what only the portal knows outlives every apply, and pools may have more numbers. */
import { describe, expect, it } from 'vitest';
import { emptyRegistration } from '../domain/registration.ts';
import { applyFile } from './apply.ts';
import { noRecords } from './kinds.ts';
import { countingRandom, fixedClock, memoryRecords, recordsFile, sealer } from './records-fixture.ts';

const file = {
  accounts: [{ id: 'A1', name: 'Acme' }],
  campaigns: [{ id: 'C1', account: 'A1', status: 'approved' }],
  numbers: [{ number: '12025550111', account: 'A1', campaign: 'C1' }],
};

const secondFactor = { roles: ['Owner' as const], graceDays: 7, since: 0 };

async function applied() {
  const store = memoryRecords();
  const parts = { store, sealer, clock: fixedClock(), random: countingRandom(), env: {} };
  const apply = (content: unknown) => applyFile(recordsFile(content), parts);
  await apply(file);
  const { accounts, campaigns, numbers } = await store.records();
  const pacing = { segmentsPerMinute: 75, mmsPerMinute: null, segmentsPerDay: null };
  const registration = { ...emptyRegistration(), useCase: '2FA' };
  registration.flags.numberPool = true;
  await store.putRecords({
    ...noRecords(),
    accounts: [{ ...accounts[0]!, monthlyBudget: '99.50', secondFactor }],
    campaigns: [{ ...campaigns[0]!, registration, pacing }],
    numbers: [{ ...numbers[0]!, name: 'Shop' }],
  });
  return { store, apply };
}

describe('a records file beside the portal', () => {
  it('applied again changes nothing', async () => {
    const { apply } = await applied();
    expect((await apply(file)).lines).toEqual([]);
  });

  it('changes what it names and keeps the rest', async () => {
    const { store, apply } = await applied();
    const [campaign] = file.campaigns;
    const [number] = file.numbers;
    await apply({
      ...{ accounts: [{ id: 'A1', name: 'Acme Ltd' }], campaigns: [{ ...campaign, status: 'suspended' }] },
      numbers: [{ ...number, smsEnabled: false }],
    });
    const { accounts, campaigns, numbers } = await store.records();
    expect(accounts).toMatchObject([{ name: 'Acme Ltd', monthlyBudget: '99.50', secondFactor }]);
    expect(campaigns).toMatchObject([
      { status: 'suspended', pacing: { segmentsPerMinute: 75 }, registration: { useCase: '2FA' } },
    ]);
    expect(numbers).toMatchObject([{ smsEnabled: false, mmsEnabled: false, name: 'Shop' }]);
  });

  it('puts more than 49 numbers on a campaign with a pool', async () => {
    const { apply } = await applied();
    const many = Array.from({ length: 50 }, (_, n) => ({ ...file.numbers[0], number: `120255501${10 + n}` }));
    await expect(apply({ ...file, numbers: many })).resolves.toBeDefined();
  });
});
