/** Named searches of a list, stored in this browser for one user. Unreadable ones are dropped. */
import { byName } from '../language/formats';
export interface View {
  name: string;
  q: string;
}

const viewsMax = 30;

/** The stored text. */
export interface Shelf {
  getItem(name: string): string | null;
  setItem(name: string, value: string): void;
}

/** The owner and list of these views. */
export interface Whose {
  /** The list's name, such as `message`. */
  list: string;
  userId: string;
}

const storedName = ({ list, userId }: Whose) => `helio-${list}-views:${userId}`;

export function readViews(shelf: Shelf, whose: Whose): View[] {
  try {
    const kept: unknown = JSON.parse(shelf.getItem(storedName(whose)) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isView).slice(0, viewsMax) : [];
  } catch {
    return [];
  }
}

/** False when the browser stores nothing. */
export function keepViews(shelf: Shelf, whose: Whose, views: readonly View[]): boolean {
  try {
    shelf.setItem(storedName(whose), JSON.stringify(views));
    return true;
  } catch {
    return false;
  }
}

/** By name; one with the same name is replaced, and the oldest is dropped above the limit. */
export function withView(views: readonly View[], view: View): View[] {
  const others = views.filter(({ name }) => name !== view.name).slice(-(viewsMax - 1));
  return [...others, view].sort((a, b) => byName(a.name, b.name));
}

function isView(value: unknown): value is View {
  const { name, q } = (value ?? {}) as Partial<View>;
  return typeof name === 'string' && name !== '' && typeof q === 'string';
}
