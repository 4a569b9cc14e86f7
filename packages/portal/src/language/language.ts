/** In which language the portal speaks: settled once, before any page is loaded. */

/** `pseudo` is English in disguise, for tests: it is offered nowhere. */
export type Language = 'en' | 'pseudo';

const storedName = 'helio-language';

function spoken(): Language {
  try {
    return localStorage.getItem(storedName) === 'pseudo' ? 'pseudo' : 'en';
  } catch {
    // Storage may be switched off.
    return 'en';
  }
}

export const language: Language = typeof document === 'undefined' ? 'en' : spoken();

const wanted: readonly string[] = typeof document === 'undefined' ? [] : navigator.languages;

/** For `Intl`: English as the browser's own region writes it, else as it is. */
export const locale: string = wanted.find((one) => one.split('-')[0] === 'en') ?? 'en';
