/** Searches with a name, kept in this browser for one user. What cannot be read is none. */
export interface View {
  name: string;
  q: string;
}

const viewsMax = 30;

/** What localStorage gives. */
export interface Shelf {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
}

const placeOf = (userId: string) => `helio-message-views:${userId}`;

export function readViews(shelf: Shelf, userId: string): View[] {
  try {
    const kept: unknown = JSON.parse(shelf.getItem(placeOf(userId)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isView).slice(0, viewsMax) : [];
  } catch {
    return [];
  }
}

/** False when the browser keeps nothing. */
export function keepViews(shelf: Shelf, userId: string, views: readonly View[]): boolean {
  try {
    shelf.setItem(placeOf(userId), JSON.stringify(views));
    return true;
  } catch {
    return false;
  }
}

/** By name; one with the same name is replaced, the oldest makes room. */
export function withView(views: readonly View[], view: View): View[] {
  const others = views.filter(({ name }) => name !== view.name).slice(-(viewsMax - 1));
  return [...others, view].sort((a, b) => a.name.localeCompare(b.name));
}

function isView(value: unknown): value is View {
  const { name, q } = (value ?? {}) as Partial<View>;
  return typeof name === 'string' && name !== '' && typeof q === 'string';
}
