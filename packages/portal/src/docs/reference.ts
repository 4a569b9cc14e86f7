/** The reference of the API beyond being read: one language for all samples, credentials in them, and trying a request. */
import { addCopyButtons, type Copied } from './copy';
import { setUpCredentials } from './credentials';
import { markCurrent } from './current';
import { setUpTrials } from './trial';

const kept = 'helio-docs-language';

export function setUpReference(panel: HTMLFormElement): void {
  const credentials = setUpCredentials(panel);
  const copied: Copied = (code) => credentials.filled(code);
  addCopyButtons(copied);
  setUpTrials(credentials);
  setUpLanguages();
  markCurrent();
}

function setUpLanguages(): void {
  const radios = [...document.querySelectorAll<HTMLInputElement>('.samples input[type=radio]')];
  const choose = (language: string) => {
    for (const radio of radios) if (radio.value === language) radio.checked = true;
  };
  try {
    choose(localStorage.getItem(kept) ?? '');
  } catch {
    // Storage may be switched off: the first language stands.
  }
  for (const radio of radios) {
    radio.addEventListener('change', () => {
      const top = radio.getBoundingClientRect().top;
      choose(radio.value);
      // The samples above may have become longer or shorter: what was pressed stays under the pointer.
      scrollBy(0, radio.getBoundingClientRect().top - top);
      try {
        localStorage.setItem(kept, radio.value);
      } catch {
        // Kept for this page only.
      }
    });
  }
}
