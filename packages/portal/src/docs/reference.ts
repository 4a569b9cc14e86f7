/**
 * The script of the API reference: one language for all samples, credentials in them, trying a request, and a mark in
 * the list at the operation being read.
 */
import { addCopyButtons, type Copied } from './copy';
import { setUpCredentials } from './credentials';
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
    // Storage may be disabled: the first language stays.
  }
  for (const radio of radios) {
    radio.addEventListener('change', () => {
      const top = radio.getBoundingClientRect().top;
      choose(radio.value);
      // Samples above may have changed their height: keep the pressed button under the pointer.
      scrollBy(0, radio.getBoundingClientRect().top - top);
      try {
        localStorage.setItem(kept, radio.value);
      } catch {
        // Kept for this page only.
      }
    });
  }
}

/**
 * The part of the window in which an operation counts as being read: the upper third, below the position that links
 * scroll to.
 */
const margin = '-72px 0px -66% 0px';

function markCurrent(): void {
  const seen = new Set<Element>();
  const sections = [...document.querySelectorAll('.operation')];
  const observer = new IntersectionObserver(
    (changes) => {
      for (const { target, isIntersecting } of changes) {
        if (isIntersecting) seen.add(target);
        else seen.delete(target);
      }
      const first = sections.find((one) => seen.has(one));
      if (first !== undefined) mark(first.id);
    },
    { rootMargin: margin },
  );
  for (const section of sections) observer.observe(section);
}

function mark(id: string): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>(':is(.beside, .above) li a')) {
    if (link.hash !== `#${id}`) {
      link.removeAttribute('aria-current');
      continue;
    }
    link.setAttribute('aria-current', 'location');
    keepInView(link);
  }
}

/** Scrolls only the list, never the page. */
function keepInView(link: HTMLElement): void {
  const list = link.closest('nav')!;
  const [inner, outer] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top + inner.height;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + inner.height;
}
