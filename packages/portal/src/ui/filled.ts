/**
 * How a field reports to the dialog around it that a person has filled it in. For changes without a browser event, such
 * as a choice or a tick: the dialog notices typing by itself.
 */
import { createContext, useContext } from 'react';

type Note = (field: Element | null) => void;

export const Filled = createContext<Note>(() => {});

export function useFilled(): Note {
  return useContext(Filled);
}
