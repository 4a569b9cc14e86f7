/** The title of the browser's tab: the page's title after the number of unread replies. */

let page = { title: 'Heliograph', isWhole: false };
let unread = 0;

function write(): void {
  document.title = unread > 0 && !page.isWhole ? `(${countText(unread)}) ${page.title}` : page.title;
}

/** `isWhole`: the page has its own count in the title. */
export function setPageTitle(title: string, isWhole: boolean): void {
  page = { title, isWhole };
  write();
}

export function setUnreadInTitle(count: number): void {
  unread = count;
  write();
}

const shownMax = 99;

/** Above 99 the exact number does not matter. */
export function countText(count: number): string {
  return count > shownMax ? `${shownMax}+` : String(count);
}
