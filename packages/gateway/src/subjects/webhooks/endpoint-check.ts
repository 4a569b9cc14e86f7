/** Validates an endpoint's settings. Quotes no value, because a URL or header may contain a secret. */
import type { AccountId } from '../../kernel/ids.ts';
import type { Directory } from '../../model/directory.ts';
import type { EventType } from '../../model/event-type.ts';
import type { Endpoint, Environment } from '../../model/records.ts';

export const endpointLimits = {
  /** Existing endpoints of one account. */
  perAccount: 100,
  /** Deleted endpoints stay as rows; this limits their number. */
  createdPerDay: 1_000,
  nameCharacters: 100,
  urlCharacters: 4_096,
  /** The most secrets during rotation; another one ends the oldest. */
  secrets: 3,
  overlapHoursDefault: 24,
  overlapHours: 168,
  /** The most edits that wait for one another. */
  editsWaiting: 200,
} as const;

/** Refuses a header that a webhook cannot have; the portal's form shows it too. */
export const headerFault = 'cannot be sent with a webhook: its name is reserved, or it is no valid HTTP header.';

/** The owner of endpoints: a key pair works for one account in one environment. */
export interface EndpointOwner {
  accountId: AccountId;
  environment: Environment;
}

/** The settings of an endpoint that a person or program may choose. */
export interface EndpointFields {
  name: string;
  url: string;
  types: EventType[] | null;
  format: Endpoint['format'];
  number: string | null;
  campaignId: string | null;
  /** The value in plain text; it is sealed here. */
  header: { name: string; value: string } | null;
  /** Whole seconds within `webhookTimeoutMs`; null: its default. */
  timeoutMs: number | null;
}

export interface EndpointCheckParts {
  directory: () => Directory;
  /** Whether webhooks may be sent to a URL; `why` is a word of the guarded dialler, or `dns`. */
  checkUrl(
    url: string,
    environment: Environment,
  ): Promise<{ ok: true; isPrivate?: boolean } | { ok: false; why: string }>;
  /** Whether live endpoints must use https; false when the operator allows private targets. */
  liveNeedsHttps(): boolean;
  /** Whether a header may be sent with a webhook. */
  isUsableHeader(name: string, value: string): boolean;
}

/**
 * `unresolved`: the DNS does not know the host name at this moment. `isPrivate`: it is on a private network, which is
 * allowed here.
 */
export type Checked = { kind: 'fine'; unresolved: boolean; isPrivate?: boolean } | { kind: 'refused'; detail: string };

/** Call it before the edit gets its turn: the DNS may take a while. */
export function createEndpointCheck(parts: EndpointCheckParts) {
  async function checkUrl(owner: EndpointOwner, url: string): Promise<Checked> {
    if (parts.liveNeedsHttps() && owner.environment === 'live' && !/^https:/i.test(url)) {
      return refused('url must begin with https:// for a live endpoint: webhooks hold texts of your customers.');
    }
    const checked = await parts.checkUrl(url, owner.environment);
    if (checked.ok) return { kind: 'fine', unresolved: false, ...(checked.isPrivate === true && { isPrivate: true }) };
    // An unknown name may exist tomorrow, and each attempt resolves it again.
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

/** Why the guarded dialler refuses a URL, by its words. */
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
