/**
 * `/api/v1/sandbox/handsets`: received messages with pictures, waiting for the next one, and replying. Only for sandbox
 * key pairs, and only messages of the caller's numbers.
 */
import {
  type HandsetContent,
  type HandsetMedium,
  type HandsetMessage,
  type HandsetReply,
  type Handsets,
  handsetMediaMax,
  handsetPageMax,
  handsetWaitMsMax,
  type ReplyFromHandset,
  type SenderFilter,
} from '@heliograph/sandbox/handsets';
import { simulatedKinds } from '../../carriers/kinds.ts';
import { isoTime, shown } from '../../http/envelope.ts';
import { type Answer, rejection, success } from '../../http/exchange.ts';
import { type Call, param } from '../../http/guard.ts';
import { busy, longPollFields, waitingFor } from '../../http/long-poll.ts';
import { notSandbox } from '../../http/openapi-parts.ts';
import { answers, answersFile, answersPage, ownBody } from '../../http/route.ts';
import type { RouteDeps, RouteModule } from '../../http/server.ts';
import { list, type TypeOf } from '../../http/shape.ts';
import { untilGone } from '../../http/until-gone.ts';
import { counted } from '../../kernel/counted.ts';
import type { AccountId } from '../../kernel/ids.ts';
import type { MediaFailureCode } from '../../model/medium.ts';
import { handsetMediaIdForm, handsetMessageIdForm } from '../../model/sandbox.ts';
import { badHandset, handsetParam, isNumber, sandboxCallers } from './sandbox-caller.ts';
import { readHandsetFiles } from './sandbox-files.ts';
import { handset, handsetMessage, handsetReply, queuedReply } from './sandbox-shapes.ts';

export type FetchedContents =
  | { kind: 'fetched'; media: HandsetContent[] }
  | { kind: 'failed'; code: MediaFailureCode; detail: string }
  /** Temporary: try again. */
  | { kind: 'later' };

export interface SandboxParts {
  /** The media behind the `mediaUrls` of a reply, in order. */
  fetchMedia(urls: readonly string[], accountId: AccountId): Promise<FetchedContents>;
}

const path = '/api/v1/sandbox/handsets';
const fileNameCharactersMax = 64;
const polling = { idForm: handsetMessageIdForm, what: 'a message on a handset', waitMsMax: handsetWaitMsMax };

export function sandboxRoutes(handsets: Handsets, parts: SandboxParts): RouteModule {
  return (_app, deps) => addRoutes(deps, handsets, parts);
}

const fileHeaders = {
  'Content-Disposition': { schema: { type: 'string' } },
  'Content-Security-Policy': { schema: { const: "sandbox; default-src 'none'" } },
};

function addRoutes({ guarded, directory }: RouteDeps, handsets: Handsets, { fetchMedia }: SandboxParts): void {
  const { admits, ownSenders } = sandboxCallers(directory);

  guarded.add({
    method: 'GET',
    path,
    scope: 'read',
    operationId: 'listHandsets',
    summary: 'The handsets of the simulated carrier',
    notFound: notSandbox,
    admits,
    answer: answersPage(list(handset), 'after', 'The handsets'),
    work: (call) => {
      const rows = handsets.list(ownSenders(call)).map(({ lastReceivedAt, ...row }) => ({
        ...row,
        lastReceivedAt: lastReceivedAt === null ? null : isoTime(lastReceivedAt),
      }));
      return success(`${counted(rows.length, 'handset')}, the latest message first.`, rows, null);
    },
  });

  const lists = [
    {
      which: 'messages',
      operationId: 'listHandsetMessages',
      summary: 'Messages that a handset received from your numbers',
      what: 'Messages, oldest first',
    },
    {
      which: 'sent',
      operationId: 'listHandsetSent',
      summary: 'Messages that a handset sent to your numbers',
      what: 'Messages, oldest first; `receivedAt` is when each left',
    },
  ] as const;
  for (const { which, operationId, summary, what } of lists) {
    guarded.add({
      method: 'GET',
      path: `${path}/:number/${which}`,
      scope: 'read',
      operationId,
      summary,
      params: handsetParam,
      notFound: notSandbox,
      admits: (call) => admits(call) ?? handsetFault(call),
      query: longPollFields(polling, 'message'),
      answer: answersPage(list(handsetMessage), 'after', what),
      work: async (call) => {
        const number = param(call, 'number');
        const query = { ...waitingFor(call.query), isOwn: ownSenders(call) };
        const found = await untilGone(call.exchange, (signal) => handsets[which](number, { ...query, signal }));
        if (found === 'full') return busy('Too many calls wait for messages of handsets at this moment.');
        const next = found[handsetPageMax - 1]?.id ?? null;
        return success(messagesDetail(found, query.waitMs), found.map(shownOn(number)), next);
      },
    });
  }

  guarded.add({
    method: 'GET',
    path: `${path}/:number/media/:mediaId`,
    scope: 'read',
    operationId: 'getHandsetMedium',
    summary: 'The bytes of a medium that a handset received or sent',
    params: { ...handsetParam, mediaId: '`hmd_…`' },
    notFound: 'There is none, or no more, or the key pair is not a sandbox pair',
    admits: (call) => admits(call) ?? handsetFault(call),
    answer: answersFile('The file', fileHeaders),
    work: (call) => {
      const mediaId = param(call, 'mediaId');
      const isId = handsetMediaIdForm.test(mediaId);
      const found = isId ? handsets.medium(param(call, 'number'), mediaId, ownSenders(call)) : null;
      return found === null ? noMedium : contentAnswer(found);
    },
  });

  guarded.add({
    method: 'POST',
    path: `${path}/:number/reply`,
    scope: 'send',
    operationId: 'replyFromHandset',
    summary: 'Send a text or pictures from a handset',
    params: handsetParam,
    notFound: notSandbox,
    admits: (call) => admits(call) ?? handsetFault(call),
    body: ownBody(handsetReply),
    answer: answers(queuedReply, 'On its way'),
    work: async (call) => {
      const number = param(call, 'number');
      const isOwn = ownSenders(call);
      const wanted = readReply(call.body, isOwn);
      if ('status' in wanted) return wanted;
      const { mediaUrls, files, ...words } = wanted;
      if (mediaUrls.length === 0) {
        return answerTo(handsets.reply(number, { ...words, isOwn, ...(files.length > 0 && { media: files }) }));
      }
      const fetched = await fetchMedia(mediaUrls, call.caller.account.accountId);
      if (fetched.kind === 'later') return busy('The media cannot be fetched at this moment.');
      if (fetched.kind === 'failed') return rejection('INVALID_MEDIA_URL', `${fetched.code}: ${fetched.detail}`);
      return answerTo(handsets.reply(number, { ...words, isOwn, media: [...fetched.media, ...files] }));
    },
  });
}

function handsetFault(call: Call): Answer<never> | null {
  const number = param(call, 'number');
  return isNumber(number) ? null : badHandset(number);
}

const noMedium = rejection(
  'NOT_FOUND',
  'This handset has no such medium for you. Newer media replace older ones: the `url` of a replaced one is null.',
);

/** No type of content can run in a browser. */
function contentAnswer({ contentType, fileName, bytes }: HandsetContent): Answer<never> {
  const place = /^(image|audio|video)\//.test(contentType) ? 'inline' : 'attachment';
  const name = fileName.replaceAll(/[^A-Za-z0-9._-]+/g, '_').slice(-fileNameCharactersMax) || 'medium';
  return {
    status: 200,
    reason: 'SUCCESS',
    body: bytes,
    contentType: contentType.startsWith('text/') ? `${contentType}; charset=utf-8` : contentType,
    cacheControl: 'private, max-age=3600, immutable',
    headers: [
      ...['Content-Disposition', `${place}; filename="${name}"`],
      ...['Content-Security-Policy', "sandbox; default-src 'none'"],
    ],
  };
}

function messagesDetail(messages: readonly HandsetMessage[], waitMs: number): string {
  if (messages.length > 0) return `${counted(messages.length, 'message')}, oldest first.`;
  return waitMs === 0 ? 'No messages.' : `No message came within ${waitMs / 1_000} s.`;
}

function shownOn(number: string): (message: HandsetMessage) => TypeOf<typeof handsetMessage> {
  return ({ receivedAt, media, ...message }) => {
    const shownMedia = media.map((medium) => shownMedium(number, medium));
    return { ...message, media: shownMedia, receivedAt: isoTime(receivedAt) };
  };
}

function shownMedium(number: string, { held, ...medium }: HandsetMedium) {
  return { ...medium, url: held ? `${path}/${number}/media/${medium.mediaId}` : null };
}

type WantedReply = Pick<ReplyFromHandset, 'text' | 'to' | 'via'> & { mediaUrls: string[]; files: HandsetContent[] };

/** The body of a reply, or the answer that refuses it. */
function readReply(value: unknown, isOwn: SenderFilter): WantedReply | Answer<never> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return rejection('INVALID_FIELD', 'The body must be one JSON object, such as {"text":"YES"}.');
  }
  const body = value as Readonly<Record<string, unknown>>;
  const mediaUrls = body.mediaUrls ?? [];
  if (!isListOfTexts(mediaUrls)) {
    return rejection('INVALID_FIELD', 'The field mediaUrls must be an array of strings, or left out.');
  }
  const files = readHandsetFiles(body.files ?? []);
  if (typeof files === 'string') return rejection('INVALID_FIELD', files);
  const media = mediaUrls.length + files.length;
  if (media > handsetMediaMax) {
    return rejection('TOO_MANY_MEDIA', `A handset sends at most ${handsetMediaMax} media in one message.`);
  }
  const text = body.text ?? (media > 0 ? '' : null);
  const problem = textProblem(text, media > 0) ?? toProblem(body.to, isOwn) ?? viaProblem(body.via, media);
  if (problem !== null) return problem;
  return {
    text,
    mediaUrls,
    files,
    ...(body.to != null && { to: body.to }),
    ...(body.via != null && { via: body.via }),
  } as WantedReply;
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function textProblem(text: unknown, mayBeEmpty: boolean): Answer<never> | null {
  if (text === null) return rejection('MISSING_FIELD', 'The field text is missing: the answer of the handset.');
  if (typeof text !== 'string') return rejection('INVALID_FIELD', 'The field text must be a string.');
  if (text.trim() === '' && !mayBeEmpty) {
    return rejection('TEXT_EMPTY', 'The text is empty. Write an answer.');
  }
  if (text.includes('\0') || !text.isWellFormed()) {
    return rejection('INVALID_FIELD', 'The text holds NUL or half a surrogate pair. Send valid Unicode text.');
  }
  return null;
}

function toProblem(to: unknown, isOwn: SenderFilter): Answer<never> | null {
  if (to === undefined || to === null) return null;
  if (typeof to !== 'string' || !isNumber(to)) {
    return rejection('INVALID_FIELD', 'The field to must be one of your sandbox numbers: digits only, or left out.');
  }
  if (isOwn(to)) return null;
  return rejection(
    'INVALID_FIELD',
    `Your account has no sandbox number ${shown(to)}. Leave to out to answer the last sender.`,
  );
}

const mmsKinds = simulatedKinds('MMS');

function viaProblem(via: unknown, media: number): Answer<never> | null {
  if (via === undefined || via === null) return null;
  if (!mmsKinds.includes(via as string)) {
    return rejection('INVALID_FIELD', `The field via must be ${mmsKinds.join(' or ')}, or left out.`);
  }
  if (media > 0) return null;
  return rejection(
    'INVALID_FIELD',
    'The field via goes with mediaUrls or files only: a text leaves a handset over SMPP.',
  );
}

function answerTo(reply: HandsetReply): Answer<TypeOf<typeof queuedReply>> {
  switch (reply.kind) {
    case 'queued': {
      const { kind: _, ...data } = reply;
      const size =
        reply.messageType === 'MMS'
          ? `with ${reply.media} media`
          : `in ${reply.parts} ${reply.parts === 1 ? 'segment' : 'segments'}`;
      return success(`On its way to ${reply.to} ${size}.`, data);
    }
    case 'no_sender':
      return rejection(
        'MISSING_FIELD',
        'None of your numbers has texted this handset yet. Send it a text first, or name the number in the field to.',
      );
    case 'too_long':
      return rejection('TEXT_TOO_LONG', `The text needs more than ${reply.partsMax} segments. Send a shorter one.`);
    case 'too_large':
      return rejection('INVALID_MEDIA_URL', `The media are over ${reply.bytesMax} bytes together. Send smaller ones.`);
    case 'full':
      return busy('Too many messages wait for the gateway to take them.');
  }
}
