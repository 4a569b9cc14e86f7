/** What a page shows as part of its address: it survives a reload, can be sent to somebody, and Back undoes it. */
import { useLocation, useRouter } from '@tanstack/react-router';

/** One value of the query string; '' when it is not there. Setting '' takes it out. `others` are set with it. */
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
