/** For the tests of numbers, brands and campaigns: the portal with their routes over a real store of records. */
import { hash as digest } from 'node:crypto';
import type { Store } from '../../app/store.ts';
import { buildDirectory } from '../../carriers/directory.ts';
import { openPortalWorld, type PortalWorld } from '../../http/portal/portal-fixture.ts';
import { createIds } from '../../kernel/ids.ts';
import { machineRandom } from '../../kernel/machine.ts';
import type { CampaignUse } from '../../messaging/pace/pace.ts';
import type { Campaign, Records } from '../../model/records.ts';
import { type BrandForm, type CampaignForm, emptyRegistration } from '../../model/registration.ts';
import {
  accounts,
  campaign,
  carrier,
  inLive,
  inSandbox,
  number,
  ofOther,
  recordsWith,
  route,
} from '../../model/world-fixture.ts';
import type { EvidenceFiles } from './evidence.ts';
import { registrationRoutes } from './registration-routes.ts';
import type { Opened } from './website.ts';

/** A route for every number of the sandbox. */
export const toTelco = route('rt_sandbox', ['telco'], { environment: 'sandbox' });

export const seeded: Partial<Records> = {
  carriers: [carrier('telco', 'smpp', { environment: 'sandbox', name: 'Telco' })],
  routes: [toTelco],
  accounts,
  campaigns: [campaign('C1', inSandbox), campaign('CL', inLive), campaign('C2', ofOther)],
  numbers: [
    number('12025550199', inSandbox),
    number('12025550198', { ...inSandbox, campaignId: null, smsEnabled: false, mmsEnabled: false }),
    number('15125550111', { ...inLive, campaignId: null }),
    number('12025550150', { ...ofOther, campaignId: 'C2' }),
  ],
};

export interface RegistrationWorld extends PortalWorld {
  recordsNow(): Promise<Records>;
  put(records: Partial<Records>): Promise<void>;
  /** Evidence on disk, by its hash. */
  kept: ReadonlyMap<string, Buffer>;
}

/** The websites of the tests. */
function pages(url: string): Opened {
  if (url.includes('private')) return { kind: 'blocked' };
  return url.includes('peartree') ? { kind: 'answered', status: 200 } : { kind: 'unreachable', why: 'dns' };
}

function filesInMemory(kept: Map<string, Buffer>): EvidenceFiles {
  return {
    youngMs: 0,
    put: async (bytes) => {
      const hash = digest('sha256', bytes, 'hex');
      kept.set(hash, Buffer.from(bytes));
      return { ok: true, hash };
    },
    read: async (hash) => kept.get(hash) ?? null,
    sweep: async ({ needed }) => {
      const found = [...kept.keys()];
      const stay = await needed(found);
      const gone = found.filter((hash) => !stay.has(hash));
      for (const hash of gone) kept.delete(hash);
      return gone.length;
    },
  };
}

export async function openRegistrationWorld(): Promise<RegistrationWorld> {
  let store: Store | null = null;
  let directory = buildDirectory(recordsWith({}));
  const refreshDirectory = async (): Promise<void> => {
    directory = buildDirectory(await store!.records());
  };
  const nothingUsed: CampaignUse = { segmentsThisMinute: null, mmsThisMinute: null, segmentsToday: null };
  const kept = new Map<string, Buffer>();
  const world = await openPortalWorld({
    modules: (given) => {
      store = given.store;
      const ids = createIds(given.clock, machineRandom);
      const parts = { clock: given.clock, ids, store, directory: () => directory, refreshDirectory };
      const pace = { use: () => nothingUsed };
      return registrationRoutes({ ...parts, pace, evidence: filesInMemory(kept), openPage: async (url) => pages(url) });
    },
  });
  const put = async (records: Partial<Records>): Promise<void> => {
    await store!.putRecords(recordsWith(records));
    await refreshDirectory();
  };
  await put(seeded);
  return { ...world, put, kept, recordsNow: () => store!.records() };
}

export const goodBrand: Partial<BrandForm> = {
  entityType: 'PRIVATE_PROFIT',
  legalName: 'Pear Tree Violins LLC',
  displayName: 'Pear Tree',
  ein: '12-3456789',
  street: '1 Main St',
  city: 'Austin',
  region: 'TX',
  postalCode: '78701',
  phone: '15125550100',
  email: 'ann@peartree.example',
  website: 'https://peartree.example',
  vertical: 'RETAIL',
};

export const goodCampaign: Partial<CampaignForm> = {
  name: 'Orders',
  useCase: 'ACCOUNT_NOTIFICATION',
  description: 'Tells customers of the shop how their orders are coming along, from payment to delivery.',
  messageFlow: 'Customers tick an optional box beside the telephone field of the order form on our website.',
  samples: ['Pear Tree: your order 12 is on its way. Reply STOP to end.'],
  optInText: 'Pear Tree: you are subscribed. Msg freq varies. Msg & data rates may apply. HELP for help, STOP to end.',
  optOutText: 'Pear Tree: you are unsubscribed and will get no more messages.',
  helpText: 'Pear Tree: for help write to help@peartree.example. Reply STOP to end.',
  privacyUrl: 'https://peartree.example/privacy',
  termsUrl: 'https://peartree.example/terms',
};

/** The campaign with registration data. */
export function registrationOf(campaign: Campaign, flags: Partial<CampaignForm['flags']>): Campaign {
  const registration = emptyRegistration();
  return { ...campaign, registration: { ...registration, flags: { ...registration.flags, ...flags } } };
}
