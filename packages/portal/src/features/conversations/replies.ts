/**
 * Replies that are being written, by conversation: stored in this tab of the browser until they are sent or the person
 * signs out, so that they survive a look at another conversation or page, a reload, and a session that ends.
 */
import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { repliesName } from '../messages/draft';

interface OwnReply {
  text: string;
  setText: Dispatch<SetStateAction<string>>;
  /** While a text is being sent it is not stored: whoever comes back meanwhile must not find it unsent. */
  stored(text: string): void;
}

/** `whose`: the person's id. */
export function useReply(whose: string, number: string, peer: string): OwnReply {
  const name = `${whose} ${number} ${peer}`;
  const [text, setText] = useState(() => read()[name] ?? '');
  useEffect(() => write(name, text), [name, text]);
  return { text, setText, stored: (now) => write(name, now) };
}

function read(): Record<string, string> {
  try {
    return JSON.parse(sessionStorage.getItem(repliesName) ?? '{}') as Record<string, string>;
  } catch {
    return {};
  }
}

function write(name: string, text: string): void {
  const { [name]: _, ...others } = read();
  const all = text === '' ? others : { ...others, [name]: text };
  try {
    if (Object.keys(all).length === 0) sessionStorage.removeItem(repliesName);
    else sessionStorage.setItem(repliesName, JSON.stringify(all));
  } catch {
    // Storage may be disabled or full: then the text lasts as long as its box.
  }
}
