/** A map that drops its oldest entry when it is full. */
export interface BoundedMap<T> {
  get(key: string): T | undefined;
  set(key: string, value: T): void;
  delete(key: string): void;
}

export function createBoundedMap<T>(entriesMax: number): BoundedMap<T> {
  const entries = new Map<string, T>();
  return {
    get: (key) => entries.get(key),
    set: (key, value) => {
      entries.delete(key);
      entries.set(key, value);
      if (entries.size > entriesMax) for (const oldest of entries.keys()) return void entries.delete(oldest);
    },
    delete: (key) => {
      entries.delete(key);
    },
  };
}
