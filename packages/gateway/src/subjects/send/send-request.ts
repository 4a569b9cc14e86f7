/**
 * Parses a JSON body into a send request, or into a refusal. Checks form only; `messaging/accept` checks the rest.
 *
 * The order is fixed, so a request with several faults always gets the same answer: the body is an object; `from`, `to`
 * and `text` exist; the first fault in from, to, text, mediaUrls, referenceId, validityMinutes; rules beyond the schema
 * in the same order; an unknown field that looks like a setting (a misspelling, or another provider's name), because
 * ignoring it would send something that the caller did not intend.
 */
import type { ErrorObject } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { shown } from '../../http/envelope.ts';
import { notSent } from '../../http/exchange.ts';
import { nearest } from '../../kernel/nearest.ts';
import type { Limits } from '../../model/limits.ts';
import type { RequestReason } from '../../model/reason.ts';
import { type SendRequest, sendRequestSchema } from '../../model/send.ts';

const asUrls = 'Send mediaUrls, an array of URLs.';

const noSchedule = 'Messages are sent at once: leave it out and send the request when it is time.';

const asValidity = 'Send validityMinutes, a whole number of minutes.';

const asKey = 'Send it as the header Idempotency-Key.';

/** By name in lower case, without `_` and `-`: what to use instead. */
const others = new Map<string, string>(
  Object.entries({
    [asUrls]:
      'media mediaurl medialist attachment attachments attachmenturl attachmenturls image images imageurl imageurls picture pictures photo photos video videos audio file files fileurl fileurls',
    [noSchedule]:
      'sendat sendlater senddate sendtime sendon sendafter schedule scheduled scheduleat scheduledat scheduletime scheduledtime scheduledate scheduleddate scheduledfor deliverat deliverytime notbefore delay delayseconds delayminutes',
    [asValidity]:
      'validity validityperiod validitytime validityseconds validitymins validityhours validuntil ttl expiresat expiresin',
    [asKey]: 'idempotencykey',
    'Send it as the query parameter dryRun=true.': 'dryrun test testmode simulate validateonly checkonly',
    'Send referenceId.': 'reference',
  }).flatMap(([fix, names]) => names.split(' ').map((name): [string, string] => [name, fix])),
);

/** The most letters by which a misspelling may differ. */
const slipsMax = 2;

/** What to use instead of a field with this name; null when it may be ignored. `known`: our own names. */
function meantInstead(name: string, known: ReadonlySet<string>): string | null {
  const plain = plainName(name);
  const fix = others.get(plain);
  if (fix !== undefined) return fix;
  for (const own of known) if (plainName(own) === plain) return `Write it ${own}.`;
  // The required fields are present, so a similar name does not mean one of them.
  const optional = [...known].filter((own) => !required.includes(own));
  const meant = nearest(name, optional, slipsMax);
  return meant === null ? null : `Write it ${meant}.`;
}

/** A name as misspellings of it are compared. */
export function plainName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}

export type SendRequestResult =
  | { ok: true; request: SendRequest; unknownFields: readonly string[] }
  | { ok: false; reason: RequestReason; detail: string };

export type ReadSendRequest = (body: unknown) => SendRequestResult;

type Fault = SendRequestResult & { ok: false };
type Fields = Readonly<Record<string, unknown>>;

/** A body that fits the schema. */
interface SentFields {
  from: string;
  to: string[];
  text: string;
  mediaUrls?: string[] | null;
  referenceId?: string | null;
  validityMinutes?: number | null;
}

const noNames: readonly string[] = [];
const required = ['from', 'to', 'text'];

/**
 * Compiles the schema once (the test of the OpenAPI document checks that it is valid); the returned function is the hot
 * path.
 */
export function createSendRequestReader(limits: Limits): ReadSendRequest {
  const schema = sendRequestSchema(limits);
  const fits = new Ajv2020({ allowUnionTypes: true, validateSchema: false }).compile<SentFields>(schema as object);
  const known = new Set(Object.keys(schema.properties));

  return (body) => {
    if (!fits(body)) return schemaFault(fits.errors![0]!, body, limits);
    const request: SendRequest = {
      from: body.from,
      to: body.to,
      text: body.text,
      mediaUrls: body.mediaUrls ?? [],
      referenceId: body.referenceId ?? null,
      validityMinutes: body.validityMinutes ?? null,
    };
    const unknownFields = unknownNames(body, known);
    return contentFault(request) ?? misnamedFault(body, unknownFields, known) ?? { ok: true, request, unknownFields };
  };
}

function unknownNames(fields: object, known: ReadonlySet<string>): readonly string[] {
  let unknown: string[] | null = null;
  for (const name in fields) {
    if (known.has(name)) continue;
    unknown ??= [];
    unknown.push(name);
  }
  return unknown ?? noNames;
}

/** The first unknown field that, correctly named, would have changed what is sent. */
function misnamedFault(body: object, names: readonly string[], known: ReadonlySet<string>): Fault | null {
  for (const name of names) {
    const instead = (body as Fields)[name] === null ? null : meantInstead(name, known);
    if (instead !== null) return fault('INVALID_FIELD', `${shown(name, 40)} is no field of this request. ${instead}`);
  }
  return null;
}

function fault(reason: RequestReason, what: string): Fault {
  return { ok: false, reason, detail: `${what} ${notSent}` };
}

function schemaFault(error: ErrorObject, body: unknown, limits: Limits): Fault {
  const [, field, index] = error.instancePath.split('/');
  if (error.keyword === 'required') return missing(String(error.params.missingProperty));
  if (field === undefined) return fault('INVALID_FIELD', `The body is ${kindOf(body)}. Send one JSON object.`);
  const value = (body as Fields)[field];
  if (value === null && required.includes(field)) return missing(field);
  switch (field) {
    case 'to':
      return toFault(error.keyword, index, value, limits);
    case 'mediaUrls':
      return mediaFault(error.keyword, index, value, limits);
    case 'referenceId':
      return referenceFault(`It must be a string of 1–${limits.referenceIdCharactersMax} characters.`);
    case 'validityMinutes':
      return fault(
        'INVALID_FIELD',
        `validityMinutes must be a whole number from ${limits.validityMinutesMin} to ${limits.validityMinutesMax}. Correct it or leave it out.`,
      );
    default:
      return fault('INVALID_FIELD', `${field} is ${kindOf(value)} and must be a string.`);
  }
}

function missing(field: string): Fault {
  return fault('MISSING_FIELD', `${field} is missing, and it is required. Add it and send again.`);
}

function toFault(keyword: string, index: string | undefined, to: unknown, limits: Limits): Fault {
  if (index !== undefined) {
    const entry = (to as unknown[])[Number(index)];
    return fault('INVALID_FIELD', `to[${index}] is ${kindOf(entry)}. Every entry of to must be a string of digits.`);
  }
  if (keyword === 'minItems') return fault('EMPTY_RECIPIENTS', 'to is empty. Put at least one number into it.');
  if (keyword === 'maxItems') {
    return fault(
      'TOO_MANY_RECIPIENTS',
      `to holds ${(to as unknown[]).length} numbers; one request may hold ${limits.recipientsMax}. Split them over several requests.`,
    );
  }
  return fault('INVALID_FIELD', `to is ${kindOf(to)} and must be an array of strings, even for one number.`);
}

function mediaFault(keyword: string, index: string | undefined, urls: unknown, limits: Limits): Fault {
  if (index !== undefined) {
    if (keyword === 'maxLength') {
      return mediaUrlFault(Number(index), `is longer than ${limits.mediaUrlCharactersMax} characters`);
    }
    return fault(
      'INVALID_FIELD',
      `mediaUrls[${index}] is ${kindOf((urls as unknown[])[Number(index)])} and must be a string.`,
    );
  }
  if (keyword === 'maxItems') {
    return fault(
      'TOO_MANY_MEDIA',
      `mediaUrls holds ${(urls as unknown[]).length} URLs; one message may carry ${limits.mediaMax}. Send fewer.`,
    );
  }
  return fault('INVALID_FIELD', `mediaUrls is ${kindOf(urls)} and must be an array of strings.`);
}

function mediaUrlFault(index: number, problem: string): Fault {
  return fault('INVALID_MEDIA_URL', `mediaUrls[${index}] ${problem}. Use plain, public http or https URLs.`);
}

function referenceFault(rule: string): Fault {
  return fault('INVALID_REFERENCE_ID', `referenceId cannot be used. ${rule} Correct it or leave it out.`);
}

/** Rules beyond the schema: half surrogate pairs, NUL, and valid URLs. */
function contentFault(request: SendRequest): Fault | null {
  if (!request.text.isWellFormed())
    return fault('INVALID_FIELD', 'text holds half a surrogate pair, which no encoding can carry.');
  if (request.text.includes('\0')) return fault('INVALID_FIELD', 'text holds the character NUL (U+0000). Take it out.');
  for (const [i, url] of request.mediaUrls.entries()) {
    const problem = mediaUrlProblem(url);
    if (problem !== null) return mediaUrlFault(i, problem);
  }
  const { referenceId } = request;
  if (referenceId !== null && (!referenceId.isWellFormed() || referenceId.includes('\0'))) {
    return referenceFault('It holds NUL or half a surrogate pair.');
  }
  return null;
}

/** The URL itself is never quoted: it may contain a password. */
function mediaUrlProblem(text: string): string | null {
  // The parser below would silently drop or escape these, and then fetch another URL than the one sent.
  if (!text.isWellFormed() || /[\p{Cc}\s\\]/u.test(text)) return 'holds a space, a backslash or a control character';
  if (!/^https?:\/\//i.test(text)) return 'does not begin with http:// or https://';
  // The parser passes over further slashes: what follows them would be the host, with its user name and password.
  const [, authority] = /^https?:\/\/([^/?#]+)/i.exec(text) ?? [];
  const url = URL.parse(text);
  if (url === null || authority === undefined) return 'is not a URL';
  // An empty user name leaves no trace in the parsed URL, so the text is checked too.
  const hasCredentials = url.username !== '' || url.password !== '' || authority.includes('@');
  return hasCredentials ? 'contains a user name or password' : null;
}

function kindOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return `the text ${shown(value, 20)}`;
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
