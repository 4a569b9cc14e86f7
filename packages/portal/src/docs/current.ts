/** Marks in the list of operations the one that is being read. */

/** The part of the window in which an operation counts as read: its upper third, below where a link puts its beginning. */
const margin = '-72px 0px -66% 0px';

export function markCurrent(): void {
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

/** Scrolls the list alone, never the page. */
function keepInView(link: HTMLElement): void {
  const list = link.closest('nav')!;
  const [inner, outer] = [link.getBoundingClientRect(), list.getBoundingClientRect()];
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top + inner.height;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + inner.height;
}
