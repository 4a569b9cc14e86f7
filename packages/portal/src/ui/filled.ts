/**
 * How a field tells the window around it that a person has filled it in. For what changes without an event of the browser,
 * such as the choice of a list or a tick: the window hears typing by itself.
 */
import { createContext, useContext } from 'react';

type Note = (field: Element | null) => void;

export const Filled = createContext<Note>(() => {});

export function useFilled(): Note {
  return useContext(Filled);
}
