/** The portal's routes as its router has them, with existing ids in place of their parameters. */
import { readFileSync } from 'node:fs';
import type { Portal } from './fixture.ts';

const source = new URL('../../packages/portal/src/routes.tsx', import.meta.url);

/** Paths with their parameters, such as `/messages/$messageId`; routes that only redirect are left out. */
export function portalRoutes(): string[] {
  const text = readFileSync(source, 'utf8');
  const routes = [...text.matchAll(/createRoute\(\{([\s\S]*?)\n\}\);/g)].map(([, body]) => body!);
  return routes.flatMap((body) => (body.includes('redirect({') ? [] : (/path: '([^']+)'/.exec(body)?.[1] ?? [])));
}

/** Routes for visitors who are not signed in. */
export const openRoutes: readonly string[] = ['/login', '/setup', '/invitation', '/reset', '/login/sso'];

/**
 * Addresses of all routes behind the sign-in. Where the gateway has no such thing, the address names one that does not
 * exist.
 */
export async function filledRoutes(portal: Portal): Promise<{ route: string; path: string }[]> {
  const first = async (path: string, name: string): Promise<string> => {
    const answer = await portal.context.request.get(`${portal.url}/api/portal/v1${path}`);
    const { data } = (await answer.json().catch(() => ({}))) as { data?: unknown };
    // The answer is a list, or an object with a list in it.
    const lists = Array.isArray(data) ? [data] : Object.values(data ?? {}).filter(Array.isArray);
    const [one] = (lists[0] ?? []) as Record<string, unknown>[];
    return String(one?.[name] ?? 'nothing');
  };
  const values: Record<string, string> = {
    messageId: await first('/messages?limit=1', 'messageId'),
    endpointId: await first('/endpoints', 'endpointId'),
    deliveryId: await first('/deliveries?limit=1', 'deliveryId'),
    keyId: await first('/keys', 'keyId'),
    brandId: await first('/brands', 'brandId'),
    campaignId: await first('/campaigns', 'campaignId'),
    carrierId: await first('/carriers', 'carrierId'),
    accountId: await first('/accounts', 'accountId'),
    number: portal.sandbox.from,
    peer: '12025550100',
    code: 'OPTED_OUT',
    to: '12025550100',
    requestId: await first('/messages?limit=1', 'requestId'),
  };
  return portalRoutes()
    .filter((route) => !openRoutes.includes(route))
    .map((route) => ({
      route,
      path: route === '/handsets/$number' ? '/handsets/12025550100' : fill(route, values),
    }));
}

function fill(route: string, values: Readonly<Record<string, string>>): string {
  return route.replace(/\$(\w+)/g, (_, name: string) => encodeURIComponent(values[name] ?? 'nothing'));
}
