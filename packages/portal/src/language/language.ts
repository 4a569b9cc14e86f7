/** The portal's language, chosen once, before any page is loaded. */

/** The languages that people can choose, each by its own name. */
export const languageNames = { en: 'English', es: 'Español' } as const;

export type OfferedLanguage = keyof typeof languageNames;

/** `pseudo` is disguised English for tests, and never offered. */
export type Language = OfferedLanguage | 'pseudo';

const storedName = 'helio-language';
const inBrowser = typeof document !== 'undefined';
const wanted: readonly string[] = inBrowser ? navigator.languages : [];

/** `es` for `es-MX`; null when the portal does not have the language. */
export function offeredLanguage(tag: string | null): OfferedLanguage | null {
  const name = (tag ?? '').split('-')[0]!.toLowerCase();
  return Object.hasOwn(languageNames, name) ? (name as OfferedLanguage) : null;
}

/** The language chosen in this browser, else the first of the browser's languages that the portal has. */
function spoken(): Language {
  const stored = storedLanguage();
  if (stored === 'pseudo') return stored;
  return [stored, ...wanted].map(offeredLanguage).find((one) => one !== null) ?? 'en';
}

function storedLanguage(): string | null {
  try {
    return localStorage.getItem(storedName);
  } catch {
    // Storage may be disabled.
    return null;
  }
}

export const language: Language = inBrowser ? spoken() : 'en';

/** For `Intl`: the browser's own region of the language, else that of most of its readers here. */
const locales = { en: 'en', es: 'es-419', pseudo: 'en' } as const;
export const locale: string =
  wanted.find((one) => offeredLanguage(one) === offeredLanguage(locales[language])) ?? locales[language];

/** Stores the language in this browser. Modules already have their labels, so the portal is reloaded. */
export function speak(next: OfferedLanguage): void {
  if (next === language) return;
  try {
    localStorage.setItem(storedName, next);
  } catch {
    // Without storage the reloaded page would be in the old language again.
    return;
  }
  location.reload();
}
