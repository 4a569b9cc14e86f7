/**
 * The OpenAPI 3.1 document of the portal's own API, made from the records of its routes. That API serves the portal of
 * the same version: unlike `/api/v1` it may change with every release, as the document states.
 */
import { inPath, inQuery, refused } from '../../packages/gateway/src/http/openapi-parts.ts';
import { withReferences } from '../../packages/gateway/src/http/openapi-references.ts';
import type { Access } from '../../packages/gateway/src/http/portal/portal-guard.ts';
import { pageSchemas, rejectionSchema, successSchema } from '../../packages/gateway/src/http/schemas.ts';
import { namesWithin } from '../../packages/gateway/src/http/shape.ts';
import { portalBase, type Route } from '../contract/isolation-world.ts';

const refusedOnce = refused('Refused; `reason` says why, `fields` what is wrong with a form.');

export function portalDocument(routes: readonly Route[]) {
  const described = routes.filter(({ needs }) => needs.record !== undefined);
  const byPath = Map.groupBy(described, ({ url }) => url.replace(/:(\w+)/g, '{$1}'));
  const paths = Object.fromEntries(
    [...byPath].map(([path, routes]) => [
      path,
      Object.fromEntries(routes.map((route) => [route.method.toLowerCase(), operationOf(route)])),
    ]),
  );
  const { parts, components } = withReferences(
    { paths },
    {
      schemas: {
        Rejection: rejectionSchema,
        Success: successSchema,
        NewestFirstPage: pageSchemas.before,
        Page: pageSchemas.after,
        ...namesWithin(described.map(({ needs: { record } }) => [record?.body?.content, record?.answer.content])),
      },
      responses: { Refused: refusedOnce },
    },
  );
  return {
    openapi: '3.1.0',
    info: {
      title: 'Heliograph portal API',
      version: '1',
      description:
        'What the pages of the portal ask for. It belongs to the portal of this version and changes with it; programs use `/api/v1`. Strings that somebody wrote are null, with their length beside, for people who may not read texts.',
    },
    servers: [{ url: '/' }],
    security: [{ session: [] }],
    tags: [...new Set(described.map(({ url }) => subjectOf(url)))].map((name) => ({ name })),
    paths: parts.paths as Record<string, Record<string, { operationId: string }>>,
    components: {
      ...components,
      securitySchemes: {
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'helio',
          description: 'The cookie of a sign-in; what changes something needs the header `X-Helio-Csrf` too.',
        },
      },
    },
  };
}

function operationOf({ method, url, needs: { access = 'public', recent = false, record } }: Route): object {
  const path = url.slice(portalBase.length);
  const { query = {}, body, answer } = record!;
  const content = body?.content ?? {};
  return {
    operationId: `${method.toLowerCase()}${path.replace(/(?:^|[^A-Za-z0-9])([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [subjectOf(url)],
    summary: answer.description,
    description: neededFor(access, recent),
    ...(access === 'public' && { security: [] }),
    parameters: [
      ...[...path.matchAll(/:(\w+)/g)].map(([, name = '']) => inPath(name, 'Of what it is about.')),
      ...Object.entries(query).map(([name, field]) => inQuery(name, field.schema, field.description)),
    ],
    ...(Object.keys(content).length > 0 && { requestBody: { required: body?.kind !== 'optional json', content } }),
    responses: {
      200: { description: answer.description, content: answer.content },
      default: refusedOnce,
    },
  };
}

function subjectOf(url: string): string {
  return url.slice(portalBase.length + 1).split(/[/.]/)[0]!;
}

function neededFor(access: Access, recent: boolean): string {
  const again = recent ? ' The password was given within the last ten minutes.' : '';
  if (access === 'public') return 'For anybody.';
  return access === 'signed in'
    ? `For everybody who is signed in.${again}`
    : `Needs the permission \`${access}\`.${again}`;
}
