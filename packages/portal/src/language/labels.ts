/**
 * The labels of the portal in its language. They come in two packs: `start` before the first page, `rest` before the
 * first page that needs more. A module takes its feature's labels when it is loaded: `const words = labelsOf('key')`.
 */
import { type Language, language } from './language';
import type { Translated } from './translated';

type Start = Translated<typeof import('./start.en')>;
type Rest = Translated<typeof import('./rest.en')>;
type Labels = Start & Rest;

/** A language without a label, or with other parameters, does not compile here. */
const packs: Record<Language, { start: () => Promise<Start>; rest: () => Promise<Rest> }> = {
  en: { start: () => import('./start.en'), rest: () => import('./rest.en') },
  es: { start: () => import('./start.es'), rest: () => import('./rest.es') },
  pseudo: {
    start: async () => (await import('./pseudo')).pseudo({ ...(await import('./start.en')) }),
    rest: async () => (await import('./pseudo')).pseudo({ ...(await import('./rest.en')) }),
  },
};

const loaded: Partial<Labels> = {};

/** Fetches a pack; a loaded one costs nothing, and a failed one is fetched again by the next call. */
export async function loadLabels(pack: 'start' | 'rest'): Promise<void> {
  Object.assign(loaded, await packs[language][pack]());
}

/** Loads a page or a part of one after its labels, because its modules take them on loading. */
export async function withLabels<M>(load: () => Promise<M>): Promise<M> {
  await loadLabels('rest');
  return load();
}

/** @throws when their pack is not loaded: the module was not opened through `withLabels`. */
export function labelsOf<Name extends keyof Labels>(name: Name): Labels[Name] {
  const labels = loaded[name];
  if (labels === undefined) throw new Error(`the labels of ${name} are not loaded yet`);
  return labels;
}
