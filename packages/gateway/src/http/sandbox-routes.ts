/**
 * `/api/v1/sandbox/handsets`: what the handsets of the simulated carrier received, waiting for the next text, and answering
 * from one. Only sandbox key pairs, and of each handset only the texts of the caller's own numbers.
 */
import { isE164Digits, isShortCode } from '../domain/number.ts';
import {
  type HandsetMessage,
  type HandsetReply,
  type Handsets,
  handsetMessageIdForm,
  handsetPageMax,
  handsetWaitMsMax,
  type SenderFilter,
} from '../domain/sandbox.ts';
import { isoTime, shown } from './envelope.ts';
import { type Answer, rejection, success } from './exchange.ts';
import type { Call, JsonCall, Work } from './guard.ts';
import { busy, longPollOf } from './long-poll.ts';
import type { RouteDeps, RouteModule } from './server.ts';
import { untilGone } from './until-gone.ts';

const polling = { idForm: handsetMessageIdForm, what: 'a text on a handset', waitMsMax: handsetWaitMsMax };

export function sandboxRoutes(handsets: Handsets): RouteModule {
  return (_app, deps) => addRoutes(deps, handsets);
}

function addRoutes({ guarded, directory }: RouteDeps, handsets: Handsets): void {
  /** Which senders the caller may see; null for a live pair, to which none of this exists. */
  function ownSenders({ caller: { account, key } }: Call): SenderFilter | null {
    if (key.environment !== 'sandbox') return null;
    const records = directory();
    return (sender) => {
      const number = records.number(sender);
      return number?.accountId === account.accountId && number.environment === 'sandbox';
    };
  }

  function forSandbox<C extends Call>(work: (call: C, isOwn: SenderFilter) => Answer | Promise<Answer>): Work<C> {
    return (call) => {
      const isOwn = ownSenders(call);
      return isOwn === null ? liveCaller : work(call, isOwn);
    };
  }

  function list(_call: Call, isOwn: SenderFilter): Answer {
    const rows = handsets.list(isOwn).map(({ lastReceivedAt, ...row }) => ({
      ...row,
      lastReceivedAt: lastReceivedAt === null ? null : isoTime(lastReceivedAt),
    }));
    return success(`${rows.length} handsets, the latest text first.`, rows, null);
  }

  async function messages({ params: { number }, exchange }: Call, isOwn: SenderFilter): Promise<Answer> {
    if (!isNumber(number)) return badHandset(number);
    const asked = longPollOf(exchange.query, polling);
    if (typeof asked === 'string') return rejection('INVALID_FIELD', asked);
    const texts = await untilGone(exchange, (signal) => handsets.messages(number, { ...asked, isOwn, signal }));
    if (texts === 'full') return busy('Too many calls wait for texts of handsets at this moment.');
    const next = texts.length === handsetPageMax ? texts[texts.length - 1].id : null;
    return success(tellTexts(texts, asked.waitMs), texts.map(shownText), next);
  }

  function reply({ params: { number }, body }: JsonCall, isOwn: SenderFilter): Answer {
    if (!isNumber(number)) return badHandset(number);
    const wanted = readReply(body, isOwn);
    return 'status' in wanted ? wanted : answerTo(handsets.reply(number, { ...wanted, isOwn }));
  }

  const path = '/api/v1/sandbox/handsets';
  guarded.get(path, 'read', forSandbox(list));
  guarded.get(`${path}/:number/messages`, 'read', forSandbox(messages));
  guarded.post(`${path}/:number/reply`, 'send', forSandbox(reply));
}

const liveCaller = rejection('NOT_FOUND', 'Handsets belong to the sandbox. Call this with a sandbox key pair.');

function isNumber(value: string): boolean {
  return isE164Digits(value) || isShortCode(value);
}

function badHandset(number: string): Answer {
  return rejection(
    'INVALID_FIELD',
    `The handset ${shown(number)} is no number. Write digits only, with country code and without plus, such as 12025550100.`,
  );
}

function tellTexts(texts: readonly HandsetMessage[], waitMs: number): string {
  if (texts.length > 0) return `${texts.length} texts, oldest first.`;
  return waitMs === 0 ? 'No texts.' : `No text came within ${waitMs / 1_000} s.`;
}

function shownText({ receivedAt, ...text }: HandsetMessage): object {
  return { ...text, receivedAt: isoTime(receivedAt) };
}

/** The body of a reply, or the answer to one that cannot be sent. */
function readReply(value: unknown, isOwn: SenderFilter): { text: string; to?: string } | Answer {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return rejection('INVALID_FIELD', 'The body must be one JSON object, such as {"text":"YES"}.');
  }
  const { text, to = null } = value as { text?: unknown; to?: unknown };
  if (text === undefined || text === null)
    return rejection('MISSING_FIELD', 'The field text is missing: what the handset answers.');
  if (typeof text !== 'string') return rejection('INVALID_FIELD', 'The field text must be a string.');
  if (text.trim() === '') return rejection('TEXT_EMPTY', 'The text is empty. A handset cannot answer nothing.');
  if (text.includes('\0') || !text.isWellFormed()) {
    return rejection('INVALID_FIELD', 'The text holds NUL or half a surrogate pair. Send valid Unicode text.');
  }
  if (to === null) return { text };
  if (typeof to !== 'string' || !isNumber(to)) {
    return rejection('INVALID_FIELD', 'The field to must be one of your sandbox numbers: digits only, or left out.');
  }
  if (!isOwn(to)) {
    return rejection(
      'INVALID_FIELD',
      `Your account has no sandbox number ${shown(to)}. Leave to out to answer the last sender.`,
    );
  }
  return { text, to };
}

function answerTo(reply: HandsetReply): Answer {
  switch (reply.kind) {
    case 'queued': {
      const { kind: _, ...data } = reply;
      return success(`On its way to ${reply.to} in ${reply.parts} parts.`, data);
    }
    case 'no_sender':
      return rejection(
        'MISSING_FIELD',
        'None of your numbers has texted this handset yet. Send it a text first, or say to whom with the field to.',
      );
    case 'too_long':
      return rejection('TEXT_TOO_LONG', `The text needs more than ${reply.partsMax} parts. Send a shorter one.`);
    case 'full':
      return busy('Too many texts wait for the gateway to take them.');
  }
}
