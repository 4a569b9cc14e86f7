/**
 * The records of a gateway that exists only for tests: one live account that may text anywhere, one number, one
 * campaign, one key pair, one SMS carrier.
 */

/** The account's key pair and number, for senders. */
export interface ScratchCaller {
  bearerToken: string;
  authToken: string;
  from: string;
}

export interface ScratchCarrier {
  port: number;
  /** Unanswered requests on each bind. */
  window: number;
  binds?: number;
  /** Whether submissions request receipts. */
  receipts?: boolean;
  responseTimeoutMs?: number;
}

export function scratchRecords(
  caller: ScratchCaller,
  carrier: ScratchCarrier,
  uncertainPolicy: 'resend' | 'hold' = 'resend',
) {
  return {
    accounts: [
      {
        id: 'live',
        name: 'Live test account',
        destinations: ['*'],
        // A load tool uses destinations in every range, including premium ones.
        fraudGuard: 'off',
        fraudGuardOptional: true,
        uncertainPolicy,
        requestsPerSecond: 0,
      },
    ],
    campaigns: [{ id: 'live-campaign', account: 'live', environment: 'live', name: 'Test', status: 'approved' }],
    numbers: [
      {
        number: caller.from,
        account: 'live',
        environment: 'live',
        smsEnabled: true,
        mmsEnabled: false,
        campaign: 'live-campaign',
      },
    ],
    keys: [
      {
        id: 'live-key',
        account: 'live',
        environment: 'live',
        name: 'Test pair',
        bearerToken: caller.bearerToken,
        authToken: caller.authToken,
        scopes: ['send', 'read', 'admin'],
        requestsPerSecond: 0,
      },
    ],
    carriers: [
      {
        id: 'smsc',
        host: '127.0.0.1',
        port: carrier.port,
        system_id: 'bench',
        password: 'bench',
        bindMode: 'transceiver',
        binds: carrier.binds ?? 1,
        window: carrier.window,
        registered_delivery: carrier.receipts ?? false,
        ...(carrier.responseTimeoutMs === undefined ? {} : { responseTimeoutMs: carrier.responseTimeoutMs }),
      },
    ],
    routes: [{ id: 'all', environment: 'live', prefix: '', carriers: ['smsc'] }],
  };
}
