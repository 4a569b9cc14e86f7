/** What the audit log says of the API's routes when people use them: dotted words, on what, from what to what. */
import { maskNumber } from '../../domain/number.ts';
import type { Answer } from '../exchange.ts';
import type { Call, Work } from '../guard.ts';
import type { Method } from '../route.ts';
import type { PortalCall } from './portal-guard.ts';

/** Messages have their own record of who sent them, and a handset's doings are no changes: no words for those. */
export const mirroredWords: Readonly<Record<string, string>> = {
  'POST /api/v1/endpoints': 'endpoint.added',
  'PATCH /api/v1/endpoints/:endpointId': 'endpoint.changed',
  'DELETE /api/v1/endpoints/:endpointId': 'endpoint.removed',
  'POST /api/v1/endpoints/:endpointId/disable': 'endpoint.disabled',
  'POST /api/v1/endpoints/:endpointId/enable': 'endpoint.enabled',
  'POST /api/v1/endpoints/:endpointId/rotate-secret': 'endpoint.secret_rotated',
  'POST /api/v1/endpoints/:endpointId/test': 'endpoint.tested',
  'POST /api/v1/endpoints/:endpointId/replay': 'endpoint.replayed',
  'POST /api/v1/deliveries/:deliveryId/replay': 'delivery.replayed',
  'POST /api/v1/deliveries/:deliveryId/send-as-new': 'delivery.sent_as_new',
  'POST /api/v1/events/trigger': 'event.triggered',
  'POST /api/v1/opt-outs': 'opt_out.added',
  'POST /api/v1/opt-outs/remove': 'opt_out.removed',
  'POST /api/v1/opt-outs/import': 'opt_out.imported',
  'POST /api/v1/sandbox/demo': 'demo.made',
  'DELETE /api/v1/sandbox/demo': 'demo.removed',
  'POST /api/v1/sandbox/faults': 'sandbox.faults_changed',
  'POST /api/v1/sandbox/reset': 'sandbox.reset',
};

/** Routes that change something and stand in no audit log. */
export const recordedElsewhere = /^\/(?:SendSMS|api\/v1\/(?:media|messages|sandbox(?!\/(?:demo|faults|reset)$))\b)/;

const askedMax = 2_000;

type Fields = Record<string, unknown>;

/** The fields of a small JSON body: what was changed to what. Secrets are cut out where it is written. */
function askedFor(call: Call): Fields | null {
  const { body } = call as { body?: unknown };
  const isForm = typeof body === 'object' && body !== null && !Array.isArray(body) && !('kind' in body);
  if (!isForm || Object.keys(body).length === 0 || JSON.stringify(body).length > askedMax) return null;
  return { ...body };
}

/** What the answer tells of what was made. */
function madeOf({ body }: Answer): Fields {
  const { data } = JSON.parse(body.toString()) as { data?: unknown };
  return typeof data === 'object' && data !== null ? (data as Fields) : {};
}

/** The id in the path; of what was just made, its own; of what has none, what was named in the call. */
function targetOf(what: string, call: Call, asked: Fields | null, answer: Answer): string {
  const named = Object.values(call.params).join(' ');
  if (named !== '') return named;
  if (what === 'endpoint.added') return String(madeOf(answer).endpointId ?? asked?.url ?? '');
  if (what.startsWith('sandbox.') || what.startsWith('demo.')) return 'sandbox';
  const { contact, type } = asked ?? {};
  if (typeof contact === 'string') return maskNumber(contact);
  return typeof type === 'string' ? type : '';
}

export function audited<C extends Call>(method: Method, path: string, work: Work<C>, word?: string): Work<C> {
  if (method === 'GET' || recordedElsewhere.test(path)) return work;
  const what = word ?? mirroredWords[`${method} ${path}`] ?? `api.${method.toLowerCase()} ${path}`;
  return async (call) => {
    const answer = await work(call);
    const asked = askedFor(call);
    if (answer.status === 200 && asked?.dryRun !== true) {
      const { before = null, after = asked } = answer.changed ?? {};
      const target = targetOf(what, call, asked, answer);
      await (call as unknown as PortalCall).audit({ what, target, before, after });
    }
    return answer;
  };
}
