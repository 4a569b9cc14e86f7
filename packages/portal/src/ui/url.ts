/** Page state in the URL: it survives a reload, can be shared, and Back undoes it. */
import { useLocation, useRouter } from '@tanstack/react-router';

/** The position in a list, which is reset when the list changes. */
const positionParams = ['before', 'after'];

/**
 * The query parameters of these names, as one text; setting it removes the others among them, and returns to the start
 * of the list.
 */
export function useUrlPart(names: readonly string[]): [string, (text: string) => void] {
  const router = useRouter();
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  return [
    partOf(search, names),
    (next) => {
      const { pathname, search: now } = router.history.location;
      router.history.push(withPart(pathname, now, names, next));
    },
  ];
}

export function partOf(search: string, names: readonly string[]): string {
  const values = new URLSearchParams(search);
  const set = names.map((name) => [name, values.get(name) ?? ''] as [string, string]);
  return new URLSearchParams(set.filter(([, value]) => value !== '')).toString();
}

/** The URL with this part of its query string. */
export function withPart(pathname: string, search: string, names: readonly string[], part: string): string {
  const values = new URLSearchParams(search);
  for (const name of [...names, ...positionParams]) values.delete(name);
  for (const [name, value] of new URLSearchParams(partOf(part, names))) values.set(name, value);
  const text = values.toString();
  return text === '' ? pathname : `${pathname}?${text}`;
}

/** One query parameter; '' when it is missing. Setting '' removes it. `others` are set with it. */
export function useUrlText(name: string): [string, (value: string, others?: Readonly<Record<string, string>>) => void] {
  const router = useRouter();
  const search = useLocation({ select: ({ searchStr }) => searchStr });
  const value = new URLSearchParams(search).get(name) ?? '';
  return [
    value,
    (next, others = {}) => {
      const { pathname, search: now } = router.history.location;
      const values = new URLSearchParams(now);
      for (const [key, text] of Object.entries({ [name]: next, ...others })) {
        if (text === '') values.delete(key);
        else values.set(key, text);
      }
      const text = values.toString();
      router.history.push(text === '' ? pathname : `${pathname}?${text}`);
    },
  ];
}
