/** The environments that a company has in the portal, and which one is shown first. */
import type { AccountId } from '../../kernel/ids.ts';
import type { Directory } from '../../model/directory.ts';
import type { Environment } from '../../model/records.ts';

function hasLive(directory: Directory, accountId: AccountId): boolean {
  const { numbers, apiKeys } = directory.records;
  return [...numbers, ...apiKeys].some((one) => one.accountId === accountId && one.environment === 'live');
}

/** Those that the portal offers. */
export function environments(sandbox: boolean): Environment[] {
  return sandbox ? ['sandbox', 'live'] : ['live'];
}

/** The sandbox until the company has something live. */
export function defaultEnvironment(directory: Directory, accountId: AccountId, sandbox: boolean): Environment {
  return sandbox && !hasLive(directory, accountId) ? 'sandbox' : 'live';
}
