/** Validates an endpoint's settings. Quotes no value, because a URL or header may contain a secret. */
import type { AccountId } from '../../kernel/ids.ts';
import type { Directory } from '../../model/directory.ts';
import type { EventType } from '../../model/event-type.ts';
import type { Endpoint, Environment } from '../../model/records.ts';

export const endpointLimits = {
  /** Endpoints of one account that are not deleted. */
  perAccount: 100,
  /** Deleted ones stay as rows: without this their number would have no end. */
  createdPerDay: 1_000,
  nameCharacters: 100,
  urlCharacters: 4_096,
  /** The most secrets during rotation; a further one ends the oldest. */
  secrets: 3,
  overlapHoursDefault: 24,
  overlapHours: 168,
  /** Edits that wait for one another. */
  editsWaiting: 200,
} as const;

/** The refusal of a header that a webhook cannot have; the portal's form shows it too. */
export const headerFault = 'cannot be sent with a webhook: its name is reserved, or it is no valid HTTP header.';

/** Whose endpoints: a key pair works for one account in one environment. */
export interface EndpointOwner {
  accountId: AccountId;
  environment: Environment;
}

/** What a person or a program decides about an endpoint. */
export interface EndpointFields {
  name: string;
  url: string;
  types: EventType[] | null;
  format: Endpoint['format'];
  number: string | null;
  campaignId: string | null;
  /** The plain value; it is encrypted here. */
  header: { name: string; value: string } | null;
  /** Whole seconds within `webhookTimeoutMs`; null: its default. */
  timeoutMs: number | null;
}

export interface EndpointCheckParts {
  directory: () => Directory;
  /** Whether webhooks may go to a URL; `why` is a word of the guarded dialler, or `dns`. */
  checkUrl(
    url: string,
    environment: Environment,
  ): Promise<{ ok: true; isPrivate?: boolean } | { ok: false; why: string }>;
  /** Live endpoints must be https; false where the operator allows private targets. */
  liveNeedsHttps(): boolean;
  /** Whether a header may go with a webhook. */
  isUsableHeader(name: string, value: string): boolean;
}

/** `unresolved`: the host's name is not known to the DNS at this moment. `isPrivate`: it is of a private network, which is allowed here. */
export type Checked = { kind: 'fine'; unresolved: boolean; isPrivate?: boolean } | { kind: 'refused'; detail: string };

/** To be asked before the edit has its turn: the DNS may take a while. */
export function createEndpointCheck(parts: EndpointCheckParts) {
  async function checkUrl(owner: EndpointOwner, url: string): Promise<Checked> {
    if (parts.liveNeedsHttps() && owner.environment === 'live' && !/^https:/i.test(url)) {
      return refused('url must begin with https:// for a live endpoint: webhooks hold texts of your customers.');
    }
    const checked = await parts.checkUrl(url, owner.environment);
    if (checked.ok) return { kind: 'fine', unresolved: false, ...(checked.isPrivate === true && { isPrivate: true }) };
    // A name that is not there yet may be tomorrow, and what it stands for is looked at again before each attempt.
    if (checked.why === 'dns') return { kind: 'fine', unresolved: true };
    return refused(`url cannot be used: ${urlFaults[checked.why] ?? 'webhooks may not go there'}.`);
  }

  return async (owner: EndpointOwner, fields: Partial<EndpointFields>): Promise<Checked> => {
    const { url, number = null, campaignId = null, header = null } = fields;
    const records = parts.directory();
    if (number !== null && !isOf(records.number(number), owner)) {
      return refused('number is not one of your account. Send one of your sending numbers, digits only.');
    }
    if (campaignId !== null && !isOf(records.campaign(campaignId), owner)) {
      return refused('campaign is not one of your account. Send the id of one of your campaigns.');
    }
    if (header !== null && !parts.isUsableHeader(header.name, header.value)) {
      return refused(`header ${headerFault}`);
    }
    return url === undefined ? { kind: 'fine', unresolved: false } : checkUrl(owner, url);
  };
}

/** Why the guarded dialler would not go there, by its words. */
const urlFaults: Readonly<Record<string, string>> = {
  malformed: 'it is not a plainly written http or https URL',
  'too-long': `it is longer than ${endpointLimits.urlCharacters} characters`,
  scheme: 'it is neither http nor https',
  userinfo: 'it holds a user name or password; send a header instead',
  port: 'its port is not allowed; use 80 or 443',
  name: 'its host is a name that webhooks may not go to',
  address: 'its host is, or stands for, an address that webhooks may not go to (private, local or reserved)',
};

export function isOf(record: EndpointOwner | undefined, { accountId, environment }: EndpointOwner): boolean {
  return record !== undefined && record.accountId === accountId && record.environment === environment;
}

function refused(detail: string): Checked {
  return { kind: 'refused', detail };
}
