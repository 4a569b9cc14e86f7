/**
 * Applies consent: keeps the opt-out list in memory in step with the store, regardless of the source of a change
 * (keyword, API, file, person, carrier). It must never allow a send that the store would refuse.
 */
import type { Logger } from '../../kernel/logger.ts';
import { createNumberSet, type NumberSet } from '../../kernel/number-set.ts';
import { createReadWriteLock } from '../../kernel/read-write-lock.ts';
import type { Directory } from '../../model/directory.ts';
import type { EventType } from '../../model/event-type.ts';
import { isE164Digits } from '../../model/number.ts';
import type { CustomerEvent } from '../../model/webhook-event.ts';
import type { ConsentChange, ConsentCommand, InboundResult, OptOut } from '../store/items.ts';
import type { ConsentStore } from '../store/modules/consent.ts';
import type { EventStore } from '../store/modules/events.ts';
import type { ConsentState } from '../store/operations/consent.ts';
import { placesPerPage } from '../store/operations/events.ts';
import { type ConsentOwner, campaignScope, consentScope, stoppingScopes } from './consent-rules.ts';
import { type CommandFor, createCommandFor, type KeywordParts } from './keyword.ts';
import { entriesMax, type OptOutEntry } from './opt-out-file.ts';

const reasonCharactersMin = 3;
const reasonCharactersMax = 200;
/** Changes per transaction. */
const changesMax = 500;
/** Entries that the start reads per page. */
const loadedPerPage = 5_000;
/** Pages read for one page of a caller's list, because entries may belong to the other environment. */
const listPagesMax = 10;

/** The result of one entry; `unchanged`: it already had this state. */
export type EntryResult =
  | { contact: string; scope: string; result: 'changed' | 'unchanged'; detail: null }
  /** `detail`: the reason. */
  | { contact: string; scope: null; result: 'refused'; detail: string };

export interface OptOutQuery {
  scope: string | null;
  contact: string | null;
  /** The last entry of the previous page. */
  after: { scope: string; contact: string } | null;
  limit: number;
}

/** A reply's sender and its command. */
export interface KeywordItem {
  from: string;
  consent: ConsentCommand | null;
}

export interface Consent extends Pick<OptOutList, 'isOptedOut' | 'size'> {
  /** Reads the list from the store. Call once, before anything is sent or received. */
  load(): Promise<void>;
  /** The list includes all changes up to this version; 0 if no other process changes it. */
  version(): number;
  /** Reads changes by other processes. Throws StoreUnavailable. */
  refresh(): Promise<void>;
  /** The command in a reply to a sending number, or null for an ordinary reply. */
  commandFor: CommandFor;
  /** Stores replies, some of them keywords; the list is updated before this resolves. Rejects as `store` does. */
  storeKeywords(items: readonly KeywordItem[], store: () => Promise<InboundResult>): Promise<InboundResult>;
  /**
   * Enters (`out`) or lifts (`in`) up to `entriesMax` entries of an account's environment, one result per entry in
   * their order. Throws StoreUnavailable; entries without a result may be repeated.
   */
  change(
    owner: ConsentOwner,
    to: 'out' | 'in',
    how: 'api' | 'import' | 'by hand',
    entries: readonly OptOutEntry[],
  ): Promise<EntryResult[]>;
  /** Entries of an account's environment by scope and contact; `next` is null at the end, else the `after` of the next page. */
  list(owner: ConsentOwner, query: OptOutQuery): Promise<{ entries: OptOut[]; next: OptOutQuery['after'] }>;
  /** Enters the recipient of a text that a carrier refused with `CARRIER_OPTED_OUT`. Ignores other events. */
  fromCarrier(event: CustomerEvent): Promise<void>;
}

export interface ConsentParts extends KeywordParts {
  store: ConsentStore & Pick<EventStore, 'eventsAfter'>;
}

export function createConsent(parts: ConsentParts): Consent {
  const { clock, ids, store } = parts;
  const optOuts = createOptOutList(parts);
  // A keyword and a manual change may concern one contact: the list must receive them in the order of their commits.
  const lock = createReadWriteLock();

  async function write(changes: ConsentChange[]): Promise<boolean[]> {
    const changed: boolean[] = [];
    for (let start = 0; start < changes.length; start += changesMax) {
      const some = changes.slice(start, start + changesMax);
      const eventIds = some.map(() => ids.next('evt_'));
      changed.push(
        ...(await lock.exclusive(() => store.changeConsent({ changes: some, eventIds }).then(applied(some)))),
      );
    }
    return changed;
  }

  /**
   * Applies all entries, not only changed ones: the answer to an earlier attempt may have been lost after its commit.
   */
  function applied(changes: readonly ConsentChange[]): (changed: boolean[]) => boolean[] {
    return (changed) => {
      for (const { scope, contact, to } of changes) optOuts.set(scope, contact, to);
      return changed;
    };
  }

  /** The list in memory includes every change of the store up to this version and this position of the event log. */
  let has: ConsentState = { version: 0, position: 0 };

  async function refresh(): Promise<void> {
    const newest = await store.consentState();
    if (newest.version > has.version) {
      const types: EventType[] = ['contact.opted_out', 'contact.opted_in'];
      for (let after = has.position; after < newest.position; ) {
        const page = await store.eventsAfter({ after, limit: placesPerPage, types });
        for (const { type, data } of page.events) applyEvent(optOuts, type, data);
        after = page.position;
      }
    }
    has = newest;
  }

  return {
    load: async () => {
      // Read first: changes during the load are then read again.
      has = await store.consentState();
      await optOuts.load();
    },
    version: () => has.version,
    // Runs exclusively, not during a change: the list must not end with an older state.
    refresh: () => lock.exclusive(refresh),
    isOptedOut: optOuts.isOptedOut,
    size: optOuts.size,
    commandFor: createCommandFor(parts),

    storeKeywords: (items, storeAll) =>
      lock.shared(async () => {
        // Applies STOP before the commit: nothing may be sent to this number even if the store fails now.
        for (const item of items) if (item.consent?.keyword === 'out') applyKeyword(optOuts, item);
        const result = await storeAll();
        // The result of each keyword is the same whether or not it changed anything, so a repeat corrects the list.
        for (const item of items) applyKeyword(optOuts, item);
        return result;
      }),

    change: async (owner, to, how, entries) => {
      if (entries.length > entriesMax) throw new RangeError(`more than ${entriesMax} entries`);
      const judged = entries.map((entry) => judgeEntry(parts.directory(), owner, to, entry, optOuts.isOptedOut));
      const { accountId } = owner;
      const at = clock.now();
      const changes = new Map<string, ConsentChange>();
      for (const [index, { contact, scope }] of judged.entries()) {
        if (scope === null || changes.has(`${scope} ${contact}`)) continue;
        const reason = entries[index]!.reason.trim();
        changes.set(`${scope} ${contact}`, { accountId, scope, contact, to, how, at, reason, evidenceMessageId: null });
      }
      const changed = await write([...changes.values()]);
      const fresh = new Set([...changes.keys()].filter((_, index) => changed[index]));
      // Of several equal entries the first takes the change; the others find none left and stay `unchanged`.
      return judged.map((one) =>
        one.result !== 'refused' && fresh.delete(`${one.scope} ${one.contact}`) ? { ...one, result: 'changed' } : one,
      );
    },

    list: async (owner, query) => {
      const entries: OptOut[] = [];
      let after = query.after;
      for (let pages = 0; pages < listPagesMax; pages++) {
        const limit = query.limit - entries.length;
        const page = await store.optOuts({ ...query, accountId: owner.accountId, after, limit });
        const directory = parts.directory();
        entries.push(...page.filter(({ scope }) => environmentOf(directory, scope) === owner.environment));
        const last = page.at(-1);
        if (last === undefined || page.length < limit) return { entries, next: null };
        after = { scope: last.scope, contact: last.contact };
        if (entries.length >= query.limit) break;
      }
      return { entries, next: after };
    },

    fromCarrier: async ({ accountId, at, message }) => {
      if (message?.code !== 'CARRIER_OPTED_OUT' || message.direction !== 'outbound') return;
      const number = parts.directory().number(message.from);
      if (number?.accountId !== accountId) return;
      const { messageId: evidenceMessageId, to: contact, carrierCode } = message;
      const code = carrierCode === null ? '' : ` (${carrierCode})`;
      const reason = `The carrier holds an opt-out${code}`.slice(0, reasonCharactersMax);
      const scope = consentScope(number);
      const change = { accountId, scope, contact, to: 'out', how: 'carrier', at, reason, evidenceMessageId } as const;
      await lock.exclusive(async () => {
        await store.changeConsent({ changes: [change], eventIds: [ids.next('evt_')] });
        // A late report may be older than a START, so the store's current state counts.
        const [entry] = await store.optOuts({ accountId, scope, contact, after: null, limit: 1 });
        optOuts.set(scope, contact, entry === undefined ? 'in' : 'out');
      });
    },
  };
}

function applyEvent(optOuts: OptOutList, type: EventType, data: CustomerEvent['data']): void {
  if (type !== 'contact.opted_out' && type !== 'contact.opted_in') return;
  optOuts.set(String(data?.scope), String(data?.contact), type === 'contact.opted_out' ? 'out' : 'in');
}

function applyKeyword(optOuts: OptOutList, { from, consent }: KeywordItem): void {
  if (consent === null || consent.keyword === 'help') return;
  optOuts.set(consent.scope, from, consent.keyword);
  if (consent.earlier !== undefined) optOuts.set(consent.earlier, from, consent.keyword);
}

function judgeEntry(
  directory: Directory,
  owner: ConsentOwner,
  to: 'out' | 'in',
  entry: OptOutEntry,
  isOut: OptOutList['isOptedOut'],
): EntryResult {
  const { contact } = entry;
  const refused = (detail: string): EntryResult => ({ contact, scope: null, result: 'refused', detail });
  if (!isE164Digits(contact)) {
    return refused('contact is not an E.164 number: digits only, with country code, no plus.');
  }
  const characters = [...entry.reason.trim()].length;
  if (
    characters < reasonCharactersMin ||
    characters > reasonCharactersMax ||
    /[\p{Cc}\p{Cs}]/u.test(entry.reason.trim())
  ) {
    return refused(
      `reason must have ${reasonCharactersMin} to ${reasonCharactersMax} characters of valid Unicode on one line.`,
    );
  }
  const place = placeOf(directory, owner, to, entry, isOut);
  if ('detail' in place) return refused(place.detail);
  return { contact, scope: place.scope, result: 'unchanged', detail: null };
}

/** The scope named by an entry, if it belongs to the owner and is checked before sends. */
function placeOf(
  directory: Directory,
  owner: ConsentOwner,
  to: 'out' | 'in',
  entry: OptOutEntry,
  isOut: OptOutList['isOptedOut'],
): { scope: string } | { detail: string } {
  const named = [entry.scope, entry.campaign, entry.number].filter((value) => value !== undefined);
  if (named.length !== 1) return { detail: 'Send exactly one of scope, campaign and number.' };
  const scope = /^(campaign|number):(.+)$/s.exec(entry.scope ?? '');
  const campaignId = entry.campaign ?? (scope?.[1] === 'campaign' ? scope[2] : undefined);
  const digits = entry.number ?? (scope?.[1] === 'number' ? scope[2] : undefined);
  if (campaignId !== undefined) {
    const campaign = directory.campaign(campaignId);
    return isOwn(campaign, owner) ? { scope: campaignScope(campaignId) } : { detail: 'No such campaign here.' };
  }
  const number = digits === undefined ? undefined : directory.number(digits);
  if (digits === undefined) return { detail: 'scope is written campaign:ID or number:DIGITS.' };
  if (number === undefined || !isOwn(number, owner)) return { detail: 'No such sending number here.' };
  const [effective, earlier] = stoppingScopes(number);
  // An entry from before the number joined its campaign may be lifted; a new entry is for the campaign.
  const onlyEarlier = earlier !== undefined && isOut(earlier, entry.contact) && !isOut(effective, entry.contact);
  if (entry.number !== undefined) return { scope: to === 'in' && onlyEarlier ? earlier : effective };
  if (effective === entry.scope) return { scope: effective };
  if (to === 'in') return { scope: `number:${digits}` };
  return { detail: `Opt-outs from ${digits} are kept for ${effective}: name that.` };
}

function isOwn(record: ConsentOwner | undefined, owner: ConsentOwner): boolean {
  return record?.accountId === owner.accountId && record.environment === owner.environment;
}

/** The environment of a scope whose campaign or number is no longer on record: live, so that no evidence is hidden. */
function environmentOf(directory: Directory, scope: string): ConsentOwner['environment'] {
  const id = scope.slice(scope.indexOf(':') + 1);
  const record = scope.startsWith('campaign:') ? directory.campaign(id) : directory.number(id);
  return record?.environment ?? 'live';
}

type OptOutList = ReturnType<typeof createOptOutList>;

/** In memory, so that every send can check it. */
function createOptOutList({ store, logger }: { store: Pick<ConsentStore, 'optOutPage'>; logger: Logger }) {
  const scopes = new Map<string, NumberSet>();

  function set(scope: string, contact: string, to: 'out' | 'in'): void {
    // A contact that is not an E.164 number cannot receive messages, so there is nothing to stop.
    if (!isE164Digits(contact)) return;
    const members = scopes.get(scope);
    if (to === 'in') members?.delete(Number(contact));
    else if (members !== undefined) members.add(Number(contact));
    else scopes.set(scope, createNumberSet()).get(scope)!.add(Number(contact));
  }

  const size = (): number => [...scopes.values()].reduce((sum, members) => sum + members.size, 0);

  return {
    /** Reads all entries from the store. */
    async load(): Promise<void> {
      type Page = { scope: string; contact: string }[];
      let page: Page = [];
      do {
        page = await store.optOutPage({ after: page.at(-1) ?? null, limit: loadedPerPage });
        for (const { scope, contact } of page) set(scope, contact, 'out');
      } while (page.length === loadedPerPage);
      logger.info({ count: size() }, 'opt-outs loaded');
    },
    isOptedOut: (scope: string, contact: string): boolean =>
      isE164Digits(contact) && scopes.get(scope)?.has(Number(contact)) === true,
    set,
    size,
  };
}
