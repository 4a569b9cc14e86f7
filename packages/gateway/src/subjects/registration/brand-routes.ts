/** `/brands`: brands for registration with the carriers. The operator records the registry's result. */
import { isoTime } from '../../http/envelope.ts';
import { rejection, success } from '../../http/exchange.ts';
import { param } from '../../http/guard.ts';
import { forbidden } from '../../http/portal/answers.ts';
import { form, optional, optionalWholeOrNull } from '../../http/portal/forms.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import { answers, ownBody } from '../../http/route.ts';
import { list } from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import {
  type Brand,
  type EntityType,
  entityTypes,
  type IdentityStatus,
  identityStatuses,
} from '../../model/registration.ts';
import { brand } from './brand-shapes.ts';
import { type BrandService, createBrandService } from './brands.ts';
import { addBrandEvidence, type EvidenceParts, shownEvidence } from './evidence-routes.ts';
import { editAnswer, withVersion } from './registration-answers.ts';
import { createWebsiteService, type OpenPage } from './website.ts';

const short = { ...optional, charactersMax: 255 } as const;

const brandFields = {
  entityType: { ...optional, oneOf: entityTypes },
  legalName: short,
  displayName: short,
  ein: short,
  einCountry: short,
  street: short,
  city: short,
  region: short,
  postalCode: short,
  country: short,
  phone: short,
  email: short,
  website: short,
  vertical: short,
  stockSymbol: short,
  stockExchange: short,
} as const;

const findingFields = {
  tcrId: short,
  identityStatus: { ...optional, oneOf: identityStatuses },
  vettingScore: optionalWholeOrNull(0, 100),
} as const;

export type BrandRouteParts = EvidenceParts & { openPage: OpenPage };

export function brandRoutes(parts: BrandRouteParts): PortalModule {
  const service = createBrandService(parts);
  const shown = (brand: Brand) => shownBrand(brand, service);
  const missing = rejection('NOT_FOUND', 'Your company has no such brand.');

  const websites = createWebsiteService(parts, parts.openPage);

  return (routes) => {
    addBrandEvidence(routes, parts, shown);

    routes.add({
      method: 'POST',
      path: '/brands/:brandId/website',
      access: 'manageCampaigns',
      body: ownBody(null, { optional: true }),
      answer: answers(brand, 'The brand as it is now'),
      work: async (call) =>
        editAnswer(await websites.check(call.person, param(call, 'brandId')), 'The website was checked.', shown),
    });

    routes.add({
      method: 'GET',
      path: '/brands',
      access: 'read',
      answer: answers(list(brand), 'All of them'),
      work: ({ account, environment }) => {
        const list = service.list(account.accountId, environment).map(shown);
        return success(`${counted(list.length, 'brand')}, oldest first.`, list);
      },
    });

    routes.add({
      method: 'GET',
      path: '/brands/:brandId',
      access: 'read',
      answer: answers(brand, 'The brand'),
      work: (call) => {
        const { account } = call;
        const brand = service.get(account.accountId, param(call, 'brandId'));
        return brand === null ? missing : success('The brand.', shown(brand));
      },
    });

    routes.add({
      method: 'POST',
      path: '/brands',
      access: 'manageCampaigns',
      audit: ['brand.added'],
      body: form(brandFields),
      answer: answers(brand, 'The brand as it is now'),
      work: async ({ body, person, environment }) => {
        const form = { ...body, entityType: body.entityType as EntityType | undefined };
        const outcome = await service.add(person, environment, withoutUndefined(form));
        return editAnswer(outcome, 'The brand is added.', shown);
      },
    });

    routes.add({
      method: 'POST',
      path: '/brands/:brandId',
      access: 'manageCampaigns',
      audit: ['brand.changed'],
      body: form({ ...brandFields, ...findingFields, version: optional }),
      answer: answers(brand, 'The brand as it is now'),
      work: async (call) => {
        const { body, person, may } = call;
        const { version = null, ...change } = body;
        if (Object.keys(findingFields).some((name) => Object.hasOwn(change, name)) && !may('operator')) {
          return forbidden('operator');
        }
        const typed = {
          ...change,
          entityType: change.entityType as EntityType | undefined,
          identityStatus: change.identityStatus as IdentityStatus | undefined,
        };
        const outcome = await service.change(person, param(call, 'brandId'), withoutUndefined(typed), version);
        return editAnswer(outcome, 'The brand is saved.', shown);
      },
    });
  };
}

function withoutUndefined<T extends object>(fields: T): { [K in keyof T]: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never;
}

function shownBrand(brand: Brand, service: BrandService) {
  const { accountId: _, websiteCheck, ...rest } = withVersion(brand);
  return {
    ...rest,
    createdAt: isoTime(brand.createdAt),
    checks: service.checks(brand),
    websiteCheck: websiteCheck === undefined ? null : { ...websiteCheck, at: isoTime(websiteCheck.at) },
    evidence: shownEvidence(brand),
  };
}
