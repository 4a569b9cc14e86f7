/** The plain name of a browser from its user agent. */
import { labelsOf } from '../../language/labels';

const labels = labelsOf('profile').sessions;

/** The first match counts: most browsers name others too. */
const browsers: readonly (readonly [RegExp, string])[] = [
  [/Edg\//, 'Edge'],
  [/OPR\//, 'Opera'],
  [/Firefox\//, 'Firefox'],
  [/HeadlessChrome\//, 'Chromium (headless)'],
  [/Chrome\//, 'Chrome'],
  [/Safari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** `Firefox on Linux`; an unknown user agent unchanged; null without one. */
export function browserName(agent: string): string | null {
  if (agent.trim() === '') return null;
  const browser = browsers.find(([form]) => form.test(agent))?.[1];
  if (browser === undefined) return agent.slice(0, 60);
  const system = systems.find(([form]) => form.test(agent))?.[1];
  return system === undefined ? browser : labels.on(browser, system);
}
