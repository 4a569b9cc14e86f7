/** Creates and changes brands. Only the operator records registry results (score). */
import type { AccountId } from '../../kernel/ids.ts';
import type { Directory } from '../../model/directory.ts';
import type { Person, Refusal } from '../../model/person.ts';
import type { Environment } from '../../model/records.ts';
import { type Brand, type BrandForm, registrationLimits } from '../../model/registration.ts';
import { brandChecks, brandFaults } from './brand-rules.ts';
import type { Check } from './check.ts';
import { createEdits, type EditOutcome, isSeen, type RegistrationParts } from './edits.ts';

/** The registry's data about it. */
export type BrandFindings = Pick<Brand, 'tcrId' | 'identityStatus' | 'vettingScore'>;

export interface BrandService {
  /** Oldest first. */
  list(accountId: AccountId, environment: Environment): Brand[];
  get(accountId: AccountId, brandId: string): Brand | null;
  add(person: Person, environment: Environment, form: Partial<BrandForm>): Promise<EditOutcome<Brand>>;
  change(
    person: Person,
    brandId: string,
    change: Partial<BrandForm & BrandFindings>,
    version: string | null,
  ): Promise<EditOutcome<Brand>>;
  checks(brand: Brand): Check[];
}

const emptyForm: BrandForm = {
  entityType: 'PRIVATE_PROFIT',
  legalName: '',
  displayName: '',
  ein: '',
  einCountry: 'US',
  street: '',
  city: '',
  region: '',
  postalCode: '',
  country: 'US',
  phone: '',
  email: '',
  website: '',
  vertical: '',
  stockSymbol: '',
  stockExchange: '',
};

const missing: Refusal = { kind: 'missing', detail: 'Your company has no such brand.' };

export function createBrandService(parts: RegistrationParts): BrandService {
  const edits = createEdits(parts);

  return {
    list: (accountId, environment) =>
      parts
        .directory()
        .records.brands.filter((one) => one.accountId === accountId && one.environment === environment)
        .sort((a, b) => a.createdAt - b.createdAt),
    get: (accountId, brandId) => ownBrand(parts.directory(), accountId, brandId),
    add: (person, environment, form) => {
      const brandId = parts.ids.next('brd_');
      return edits.edit('brands', person, (directory) => {
        const { accountId } = person.user;
        const count = directory.records.brands.filter((one) => one.accountId === accountId).length;
        if (count >= registrationLimits.brandsPerAccount) return tooMany;
        const record: Brand = {
          ...emptyForm,
          ...form,
          brandId,
          accountId,
          environment,
          tcrId: '',
          identityStatus: 'unverified',
          vettingScore: null,
          createdAt: parts.clock.now(),
        };
        const wrong = wrongIn(record, form);
        if (wrong !== null) return wrong;
        return { kind: 'made', record, before: null, what: 'brand.added', target: brandId };
      });
    },
    change: (person, brandId, change, version) =>
      edits.edit('brands', person, (directory) => {
        const before = ownBrand(directory, person.user.accountId, brandId);
        if (before === null) return missing;
        if (!isSeen(before, version)) return { kind: 'stale', current: before };
        const record = { ...before, ...change };
        const wrong = wrongIn(record, change);
        if (wrong !== null) return wrong;
        return { kind: 'made', record, before, what: 'brand.changed', target: brandId };
      }),
    checks: brandChecks,
  };
}

/** All faults of the form together. */
function wrongIn(record: Brand, change: Partial<BrandForm>): Refusal | null {
  const fields = brandFaults(record, change);
  if (record.legalName.trim() === '') fields.legalName = 'Give the brand its legal name.';
  return Object.keys(fields).length === 0 ? null : { kind: 'fields', fields };
}

const tooMany: Refusal = {
  kind: 'conflict',
  detail: `Your company has ${registrationLimits.brandsPerAccount} brands, the most it may have.`,
};

export function ownBrand(directory: Directory, accountId: AccountId, brandId: string): Brand | null {
  const brand = directory.brand(brandId);
  return brand?.accountId === accountId ? brand : null;
}
