/** The generated lists match the portal's files. */
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { holdFile } from './golden.ts';
import { portalPaths, restPacks } from './portal-lists.ts';

const portal = fileURLToPath(new URL('../../packages/portal/src', import.meta.url));

it('every label of a feature is in the pack of its language', () => {
  const packs = restPacks(portal);
  expect(Object.keys(packs)).toEqual(expect.arrayContaining(['en', 'es']));
  for (const [language, text] of Object.entries(packs)) {
    holdFile(`packages/portal/src/language/rest.${language}.ts`, text);
  }
});

it('the gateway serves the portal at every address of its router', async () => {
  // The portal has a TypeScript configuration of its own, so its types are not read here.
  const load = (path: string) => import(`${portal}/${path}`);
  await load('language/english.ts');
  const { createPortalRouter } = await load('routes.tsx');
  const paths = Object.keys(createPortalRouter({}).routesByPath);
  expect(paths).toContain('/messages/$messageId');
  holdFile('packages/gateway/src/http/portal/portal-paths.ts', portalPaths(paths));
});
