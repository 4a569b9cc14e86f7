/**
 * Checks once whether a brand's website answers, as a reviewer would, through the guarded dialler. The page's content
 * is not stored.
 */
import { fault, type Person } from '../../model/person.ts';
import type { Brand, WebsiteCheck } from '../../model/registration.ts';
import { ownBrand } from './brands.ts';
import { createEdits, type EditOutcome, type RegistrationParts } from './edits.ts';

/** The result of opening a page, in the words of the guarded dialler. */
export type Opened =
  | { kind: 'answered'; status: number }
  | { kind: 'blocked' }
  | { kind: 'busy' }
  | { kind: 'unreachable'; why: string };

/** Follows redirects, reads little, never throws. */
export type OpenPage = (url: string) => Promise<Opened>;

export function createWebsiteService(parts: RegistrationParts, open: OpenPage) {
  const edits = createEdits(parts);
  return {
    /** For a brand of the person's own company. */
    check: async (person: Person, brandId: string): Promise<EditOutcome<Brand>> => {
      const { accountId } = person.user;
      const found = ownBrand(parts.directory(), accountId, brandId);
      if (found === null) return missing;
      if (found.website.trim() === '') return fault('website', 'Write the website first, and save the brand.');
      const url = found.website.trim();
      const opened = await open(url);
      if (opened.kind === 'busy') return { kind: 'busy' };
      const websiteCheck: WebsiteCheck = { url, at: parts.clock.now(), ...resultOf(opened) };
      return edits.edit('brands', person, (directory) => {
        const before = ownBrand(directory, accountId, brandId);
        if (before === null) return missing;
        return { kind: 'made', record: { ...before, websiteCheck }, before, what: 'brand.website', target: brandId };
      });
    },
  };
}

const missing = { kind: 'missing', detail: 'Your company has no such brand.' } as const;

/** Fixed sentences: they reveal nothing of what a name resolves to or what a page says. */
function resultOf(opened: Exclude<Opened, { kind: 'busy' }>): Pick<WebsiteCheck, 'ok' | 'sentence'> {
  if (opened.kind === 'blocked') {
    return { ok: false, sentence: 'It is not a public web address, so nobody outside can open it.' };
  }
  if (opened.kind === 'unreachable') {
    return { ok: false, sentence: faults[opened.why] ?? 'It broke off before it answered.' };
  }
  const { status } = opened;
  return status < 400
    ? { ok: true, sentence: `It answers (${status}).` }
    : { ok: false, sentence: `It answers with the error ${status}.` };
}

const faults: Readonly<Record<string, string>> = {
  dns: 'Its name is not known to the DNS, or this gateway has no way to the Internet.',
  connect: 'Nothing answers at its address.',
  tls: 'Its certificate is not valid for its name.',
  timeout: 'It did not answer in time.',
  redirect: 'It sends visitors from one page to the next without end, or from https to http.',
  protocol: 'The server there is not a website.',
};
