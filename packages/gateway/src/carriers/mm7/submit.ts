/**
 * Builds the HTTP request of a submission. It depends only on submission and profile, so a repeat has the same bytes.
 */
import {
  emptyMessage,
  isUnwritable,
  type Mm7Dialect,
  type Mm7Http,
  type Mm7Schema,
  mm7Dialect,
  presentable,
  writeMm7,
} from '@heliograph/mms';
import { idTime } from '../../kernel/ids.ts';
import type { Submission } from '../carrier.ts';
import { ownRefusal, type Refused } from '../carrier.ts';
import { partsOfSubmission } from '../mms-codec.ts';
import type { Mm7Profile } from './profile.ts';

export type SubmitProfile = Pick<
  Mm7Profile,
  'schema' | 'version' | 'vaspId' | 'vasId' | 'serviceCode' | 'deliveryReport' | 'username' | 'password'
>;

export interface SubmitRequest {
  kind: 'written';
  headers: Record<string, string>;
  body: Buffer;
}

/** Names and versions come from the profile: an unknown schema is written unchanged. */
export function dialectOf({ schema, version }: Pick<Mm7Profile, 'schema' | 'version'>): Mm7Dialect {
  return mm7Dialect(schema as Mm7Schema, version === '' ? undefined : version);
}

export async function submitRequest(submission: Submission, profile: SubmitProfile): Promise<SubmitRequest | Refused> {
  const parts = await partsOfSubmission(submission);
  if ('kind' in parts) return parts;
  const acceptedAtMs = idTime(submission.messageId);
  const message = presentable({
    ...emptyMessage,
    from: submission.from,
    to: [submission.to],
    parts,
    deliveryReport: profile.deliveryReport,
  });
  const written = writeMm7(
    {
      type: 'SubmitReq',
      transactionId: submission.messageId,
      vaspId: profile.vaspId,
      vasId: profile.vasId,
      serviceCode: profile.serviceCode,
      linkedId: '',
      timeStamp: acceptedAtMs === null ? null : new Date(acceptedAtMs),
      earliestDeliveryTime: null,
      chargedParty: null,
      distributionIndicator: null,
      message,
    },
    { dialect: dialectOf(profile) },
  );
  if (isUnwritable(written)) {
    return ownRefusal('MALFORMED', `The message cannot be written as SubmitReq: ${written.field} ${written.detail}.`);
  }
  return { kind: 'written', headers: headersOf(written, profile), body: written.body };
}

/** The HTTP client adds Content-Length. */
function headersOf({ headers }: Mm7Http, { username, password }: SubmitProfile): Record<string, string> {
  const credentials = Buffer.from(`${username}:${password}`, 'utf8').toString('base64');
  return {
    'content-type': headers['content-type'],
    soapaction: headers.soapaction,
    ...(username !== '' && { authorization: `Basic ${credentials}` }),
  };
}
