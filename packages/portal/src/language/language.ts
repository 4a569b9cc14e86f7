/** The portal's language, settled once, before any page is loaded. */

/** Those that people choose from, each by its own name. */
export const languageNames = { en: 'English', es: 'Español' } as const;

export type OfferedLanguage = keyof typeof languageNames;

/** `pseudo` is English in disguise, for tests: it is never offered. */
export type Language = OfferedLanguage | 'pseudo';

const storedName = 'helio-language';
const inBrowser = typeof document !== 'undefined';
const wanted: readonly string[] = inBrowser ? navigator.languages : [];

/** `es` for `es-MX`; null where the portal has no such language. */
export function offeredLanguage(tag: string | null): OfferedLanguage | null {
  const name = (tag ?? '').split('-')[0]!.toLowerCase();
  return Object.hasOwn(languageNames, name) ? (name as OfferedLanguage) : null;
}

/** What was chosen in this browser, else the first of its languages that the portal has. */
function spoken(): Language {
  const stored = storedLanguage();
  if (stored === 'pseudo') return stored;
  return [stored, ...wanted].map(offeredLanguage).find((one) => one !== null) ?? 'en';
}

function storedLanguage(): string | null {
  try {
    return localStorage.getItem(storedName);
  } catch {
    // Storage may be switched off.
    return null;
  }
}

export const language: Language = inBrowser ? spoken() : 'en';

/** For `Intl`: as the browser's own region writes the language, else as most of its readers here do. */
const locales = { en: 'en', es: 'es-419', pseudo: 'en' } as const;
export const locale: string =
  wanted.find((one) => offeredLanguage(one) === offeredLanguage(locales[language])) ?? locales[language];

/** Stored in this browser. Modules have taken their labels already, so the portal is reloaded. */
export function speak(next: OfferedLanguage): void {
  if (next === language) return;
  try {
    localStorage.setItem(storedName, next);
  } catch {
    // Without storage the next page would be in the old language again.
    return;
  }
  location.reload();
}
