/**
 * The records file of a whole-system test or benchmark: one live account that may text anywhere, one number, one
 * campaign, one key pair with known tokens, one SMPP carrier and, optionally, one MMS carrier. The tokens protect
 * nothing.
 */
import { writeFileSync } from 'node:fs';

/** The account's key pair and number, for senders. */
export const liveCaller = {
  bearerToken: 'bench-bearer-token-of-no-worth-0001',
  authToken: 'bench-auth-token-of-no-worth-0001',
  from: '12025550142',
} as const;

export interface LiveRecordsOptions {
  smscPort: number;
  /** Unanswered requests per bind. */
  window: number;
  binds?: number;
  /** Whether submissions ask for receipts. */
  receipts?: boolean;
  uncertainPolicy?: 'resend' | 'hold';
  responseTimeoutMs?: number;
  /** An MMS carrier beside it: the fields of its entry besides the id, `mmsc`. */
  mms?: object;
}

/** Writes the file that HELIO_CONFIG names. */
export function writeLiveRecords(file: string, options: LiveRecordsOptions): void {
  const records = {
    accounts: [
      {
        id: 'live',
        name: 'Live test account',
        destinations: ['*'],
        // A load tool counts its destinations through every range, premium ones too.
        fraudGuard: 'off',
        fraudGuardOptional: true,
        uncertainPolicy: options.uncertainPolicy ?? 'resend',
        requestsPerSecond: 0,
      },
    ],
    campaigns: [{ id: 'live-campaign', account: 'live', environment: 'live', name: 'Test', status: 'approved' }],
    numbers: [
      {
        number: liveCaller.from,
        account: 'live',
        environment: 'live',
        smsEnabled: true,
        mmsEnabled: options.mms !== undefined,
        campaign: 'live-campaign',
      },
    ],
    keys: [
      {
        id: 'live-key',
        account: 'live',
        environment: 'live',
        name: 'Test pair',
        bearerToken: liveCaller.bearerToken,
        authToken: liveCaller.authToken,
        scopes: ['send', 'read', 'admin'],
        requestsPerSecond: 0,
      },
    ],
    carriers: [
      {
        id: 'smsc',
        kind: 'smpp',
        host: '127.0.0.1',
        port: options.smscPort,
        system_id: 'bench',
        password: 'bench',
        bindMode: 'transceiver',
        binds: options.binds ?? 1,
        window: options.window,
        registered_delivery: options.receipts ?? false,
        ...(options.responseTimeoutMs === undefined ? {} : { responseTimeoutMs: options.responseTimeoutMs }),
      },
      ...(options.mms === undefined ? [] : [{ id: 'mmsc', ...options.mms }]),
    ],
    routes: [
      { id: 'all', environment: 'live', prefix: '', carriers: ['smsc'] },
      ...(options.mms === undefined ? [] : [{ id: 'pictures', environment: 'live', kind: 'MMS', carriers: ['mmsc'] }]),
    ],
  };
  writeFileSync(file, JSON.stringify(records, null, 2));
}
