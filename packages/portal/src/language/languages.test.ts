/** Every language has all labels of English, with the same values in them. */
import { beforeAll, describe, expect, it } from 'vitest';
import { languageNames } from './language';

type Labels = Record<string, unknown>;

/** Labels for which English uses the gateway's own words, or derives them from the spelling of a field. */
const gatewaysOwn = ['answer.refusals', 'sso.refusals', 'reasonTexts', 'audit.fields', 'key.test.faults'];

/** Texts that are right in both languages: names, terms of the standards, and words that are the same. */
const sameInBoth = [
  /^(SMS|MMS|SMS\+MMS|IP|URL|TLS|PDU|EIN|PEM|Node|Heliograph|SQLite|PostgreSQL|SHA-256|JSON Schema|Hex|Docs)$/,
  /^(Webhooks?|Endpoints?|Carriers?|Sandbox|Standard Webhooks|Bearer Token|Auth Token|Tokens|Bind|Marketing|Error|No|no|Id|Total)$/,
  /^(AT&T|T-Mobile|Verizon|ms|(mega)?bytes?|Ctrl K|GSM 7-bit|Latin 1|ASCII|enquire_link|webhook-(id|timestamp|signature))$/,
  /^(YES|NO|STOP|START|HELP|Enter|Esc|2 \(SIM\)|“links”|carriers|Roles)$/,
  /^npx helio /,
  // The carriers look for these words in texts.
  /Msg & data rates may apply|you are unsubscribed/,
];

const rule = {
  routeId: '⟨a⟩',
  prefix: '⟨b⟩',
  number: '⟨c⟩',
  kind: '⟨d⟩',
  campaign: '⟨e⟩',
  weight: 4_101,
  priority: 4_202,
  share: 0.5,
  hours: null,
  carriers: [{ name: '⟨f⟩' }, { name: '⟨g⟩' }],
};

/** Test values for labels: each leaves a trace in the output of a label that takes it. */
const tries: readonly (readonly unknown[])[] = [
  ['⟨a⟩', '⟨b⟩', '⟨c⟩', '⟨d⟩'],
  [4_101, 4_202, 4_303, 4_404],
  ['⟨a⟩', 4_202, '⟨c⟩', 4_404],
  [4_101, '⟨b⟩', 4_303, '⟨d⟩'],
  ['⟨a⟩', '⟨b⟩', 4_303, 4_404],
  [4_101, 4_202, '⟨c⟩', '⟨d⟩'],
  ['⟨a⟩', null, null, null],
  [['⟨a⟩', '⟨b⟩'], '⟨c⟩', ['⟨d⟩']],
  ['⟨a⟩', ['⟨b⟩'], '⟨c⟩'],
  ['⟨a⟩', [['⟨b⟩', 4_202]]],
  [rule, '⟨h⟩'],
  [[rule], '⟨h⟩'],
  [{ days: [], from: '⟨a⟩', to: '⟨b⟩' }],
  [{ sms: 4_101, segments: 4_202, mms: 4_303, busiest: '⟨a⟩', most: 4_404 }],
];

let languages: { english: Labels; other: Labels }[];

async function labelsIn(language: string): Promise<Labels> {
  const packs = await Promise.all(['start', 'rest'].map((pack) => import(`./${pack}.${language}.ts`)));
  return Object.assign({}, ...packs);
}

beforeAll(async () => {
  const english = await labelsIn('en');
  const others = Object.keys(languageNames).filter((name) => name !== 'en');
  languages = await Promise.all(others.map(async (name) => ({ english, other: await labelsIn(name) })));
});

/** Every label by its path, strings and functions unchanged. */
function leaves(labels: unknown, path = ''): [path: string, label: unknown][] {
  if (gatewaysOwn.includes(path)) return [];
  if (typeof labels !== 'object' || labels === null) return [[path, labels]];
  return Object.entries(labels).flatMap(([name, label]) => leaves(label, path === '' ? name : `${path}.${name}`));
}

/** Which of the values occur in the label's output; null when it does not take such values. */
function traces(label: (...values: never[]) => unknown, values: readonly unknown[]): string | null {
  try {
    const made = leaves(label(...(values as never[]))).map(([, text]) => String(text).replace(/[.,\s]/g, ''));
    if (made.some((text) => text.includes('NaN') || text.includes('[object'))) return null;
    const given = leaves(values).map(([, value]) => String(value));
    return given.filter((value) => made.some((text) => text.includes(value))).join(' ');
  } catch {
    return null;
  }
}

function isSame(text: string): boolean {
  return !/\p{L}{2}/u.test(text) || sameInBoth.some((known) => known.test(text));
}

describe('languages', () => {
  it('have the same labels', () => {
    expect(languages.length).toBeGreaterThan(0);
    for (const { english, other } of languages) {
      expect(leaves(other).map(([path]) => path)).toEqual(leaves(english).map(([path]) => path));
      expect(leaves(english).length).toBeGreaterThan(1_500);
    }
  });

  it('leave no label empty that English fills', () => {
    for (const { english, other } of languages) {
      const filled = new Map(leaves(english).filter(([, label]) => label !== ''));
      const empty = leaves(other).filter(([path, label]) => filled.has(path) && String(label).trim() === '');
      expect(empty).toEqual([]);
    }
  });

  it('leave no label in English', () => {
    for (const { english, other } of languages) {
      const englishLabels = new Map(leaves(english));
      const left = leaves(other).filter(
        ([path, label]) => typeof label === 'string' && englishLabels.get(path) === label && !isSame(label),
      );
      expect(left.map(([path, label]) => `${path}: ${String(label)}`)).toEqual([]);
    }
  });

  it('put the same values into their sentences', () => {
    for (const { english, other } of languages) {
      const englishLabels = new Map(leaves(english));
      const tried = new Set<string>();
      const differing: unknown[] = [];
      for (const [path, label] of leaves(other)) {
        if (typeof label !== 'function') continue;
        const inEnglish = englishLabels.get(path) as typeof label;
        for (const values of tries) {
          const [expected, made] = [traces(inEnglish as never, values), traces(label as never, values)];
          if (expected === null || made === null) continue;
          tried.add(path);
          if (made !== expected) differing.push({ path, values, expected, made });
        }
      }
      expect(differing).toEqual([]);
      const untried = leaves(other).filter(([path, label]) => typeof label === 'function' && !tried.has(path));
      expect(untried.map(([path]) => path)).toEqual([]);
    }
  });
});
