/**
 * A records file together with the portal: fields that only the portal has survive every apply, and pools may have more
 * numbers.
 */
import { describe, expect, it } from 'vitest';
import { steadyRandom } from '../../../../../test/props/chance.ts';
import { movedClock } from '../../../../../test/props/clock.ts';
import { noRecords } from '../../model/records.ts';
import { emptyRegistration } from '../../model/registration.ts';
import { applyFile } from './apply.ts';
import { memoryRecords, recordsFile, sealer } from './records-fixture.ts';

const file = {
  accounts: [{ id: 'A1', name: 'Acme' }],
  campaigns: [{ id: 'C1', account: 'A1', status: 'approved' }],
  numbers: [{ number: '12025550111', account: 'A1', campaign: 'C1' }],
};

const secondFactor = { roles: ['Owner' as const], graceDays: 7, since: 0 };

async function applied() {
  const store = memoryRecords();
  const parts = { store, sealer, clock: movedClock(), random: steadyRandom(), env: {} };
  const apply = (content: unknown, confirmed = false) => applyFile(recordsFile(content), { ...parts, confirmed });
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
    await apply(
      {
        accounts: [{ id: 'A1', name: 'Acme Ltd' }],
        campaigns: [{ ...campaign, status: 'suspended' }],
        numbers: [{ ...number, smsEnabled: false }],
      },
      true,
    );
    const { accounts, campaigns, numbers } = await store.records();
    expect(accounts).toMatchObject([{ name: 'Acme Ltd', monthlyBudget: '99.50', secondFactor }]);
    expect(campaigns).toMatchObject([
      { status: 'suspended', pacing: { segmentsPerMinute: 75 }, registration: { useCase: '2FA' } },
    ]);
    expect(numbers).toMatchObject([{ smsEnabled: false, mmsEnabled: false, name: 'Shop' }]);
  });

  it('takes quiet hours, their zone and the shape of new keys, keeps them, and takes them away', async () => {
    const { store, apply } = await applied();
    const quietHours = { from: '21:00', to: '08:00', days: ['fri'], exceptCampaigns: ['C1'] };
    const settings = { timeZone: 'Europe/Berlin', exactShapeDefault: true, animations: 'refuse' };
    const account = { id: 'A1', name: 'Acme', quietHours, ...settings };
    const now = async () => (await store.records()).accounts[0];
    await apply({ ...file, accounts: [account] });
    expect(await now()).toMatchObject({ quietHours, ...settings });
    expect((await apply({ ...file, accounts: [account] })).lines).toEqual([]);
    expect((await apply(file)).lines).toEqual([]);
    expect(await now()).toMatchObject({ quietHours, ...settings });
    await apply({ ...file, accounts: [{ ...account, quietHours: null }] }, true);
    expect(await now()).not.toHaveProperty('quietHours');
  });

  it('refuses quiet hours that are never, of no zone, or except a campaign of others', async () => {
    const { apply } = await applied();
    const refused = (more: object) => expect(apply({ ...file, accounts: [{ ...file.accounts[0], ...more }] })).rejects;
    const hours = { from: '21:00', to: '08:00' };
    await refused({ quietHours: { from: '08:00', to: '08:00' } }).toThrow(/begin and end at 08:00/);
    await refused({ quietHours: { ...hours, exceptCampaigns: ['C9'] } }).toThrow(/no campaign C9/);
    await refused({ quietHours: { ...hours, from: '9pm' } }).toThrow(/a time of day/);
    await refused({ quietHours: { ...hours, days: [] } }).toThrow(/days/);
    await refused({ timeZone: 'Mars/Base' }).toThrow(/no time zone Mars/);
  });

  it('puts more than 49 numbers on a campaign with a pool', async () => {
    const { apply } = await applied();
    const many = Array.from({ length: 50 }, (_, n) => ({ ...file.numbers[0], number: `120255501${10 + n}` }));
    await expect(apply({ ...file, numbers: many })).resolves.toBeDefined();
  });
});
