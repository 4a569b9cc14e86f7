/** Audit entries for API routes that people use through the portal. */
import { maskNumber } from '../../model/number.ts';
import type { Answer } from '../exchange.ts';
import type { Call, Work } from '../guard.ts';
import type { PortalCall } from './portal-guard.ts';

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

/** The work, which also writes `what` into the audit log when something was changed. */
export function audited<C extends Call>(what: string, work: Work<C>): Work<C> {
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
