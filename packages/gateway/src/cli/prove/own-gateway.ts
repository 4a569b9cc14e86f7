/**
 * Runs the installed version as the gateway under test: in its own process, on a scratch folder, with its own records.
 */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Heliograph } from '@heliograph/client';
import { machineRandom } from '../../kernel/machine.ts';
import { version } from '../../kernel/version.ts';
import { freePort } from './free-port.ts';
import type { Gateway, Records } from './gateway.ts';
import { type JudgedMessage, statesUnderWay } from './judge.ts';
import type { Places } from './peer.ts';
import { scratchRecords } from './scratch-records.ts';

/** Shorter than usual, so that a carrier that never answers fits into a bounded run. */
const responseTimeoutMs = 2_000;
const uncertainWaitSeconds = 1;
/** The sandbox is off: a run has its own message centre. */
const settings = { HELIO_SANDBOX: '0', HELIO_LOG: 'warn', HELIO_HOST: '127.0.0.1' };

const entry = fileURLToPath(import.meta.url.replace(/prove\/own-gateway(\.\w+)$/, 'helio$1'));

export async function ownGateway({ run, sink, window }: Places, databaseUrl: string | null): Promise<Gateway> {
  const port = await freePort();
  const token = (kind: string) => `${kind}_prove_${Buffer.from(machineRandom.bytes(24)).toString('hex')}`;
  const caller = { bearerToken: token('bt'), authToken: token('at'), from: '12025550142' };
  const recordsFile = join(run, 'records.json');
  const records = scratchRecords(caller, { port: sink, window, responseTimeoutMs });
  return {
    name: `heliograph ${version}${databaseUrl === null ? '' : ' on PostgreSQL'}`,
    files: [{ path: recordsFile, text: JSON.stringify(records, null, 2) }],
    setup: [],
    start: [{ command: [process.execPath, ...process.execArgv, entry, 'start'], afterPort: null }],
    env: {
      ...settings,
      PORT: String(port),
      HELIO_DATA: join(run, 'data'),
      HELIO_CONFIG: recordsFile,
      HELIO_UNCERTAIN_WAIT_SECONDS: String(uncertainWaitSeconds),
      ...(databaseUrl !== null && { HELIO_DATABASE_URL: databaseUrl }),
    },
    readyPort: port,
    readyPath: '/readyz',
    settleMs: 0,
    quietMs: 0,
    port,
    request: (to, mid) => ({
      method: 'POST',
      path: '/SendSMS',
      headers: [
        ['content-type', 'application/json'],
        ['authorization', `Bearer ${caller.bearerToken}`],
        ['x-api-key', caller.authToken],
      ],
      body: JSON.stringify({ from: caller.from, to: [to], text: `message ${mid}` }),
    }),
    acknowledged: (status, body) => (status === 200 ? messageIdIn(body) : null),
    records: recordsOf(
      new Heliograph({
        baseUrl: `http://127.0.0.1:${port}`,
        bearerToken: caller.bearerToken,
        authToken: caller.authToken,
        maxRetries: 8,
      }),
    ),
  };
}

function messageIdIn(body: string): string | null {
  const { schema } = JSON.parse(body) as { schema?: { resultResponses: { status: string; messageId?: string }[] } };
  const [result] = schema?.resultResponses ?? [];
  return result?.status === 'SUCCESS' ? (result.messageId ?? null) : null;
}

function recordsOf({ messages }: Heliograph): Records {
  return {
    isMoving: async () => {
      for (const state of statesUnderWay) {
        const { done } = await messages.list({ direction: 'outbound', state, pageSize: 1 }).next();
        if (done !== true) return true;
      }
      return false;
    },
    all: async () => {
      const all: JudgedMessage[] = [];
      for await (const message of messages.list({ direction: 'outbound', pageSize: 100 })) {
        const { messageId, to, state, code, dupRisk } = message;
        all.push({ messageId, to, state, code, dupRisk });
      }
      return all;
    },
  };
}
