/**
 * How a field tells the form around it what is wrong with it, whoever found that: the page or the gateway. The form tells
 * it once more on top (`FaultSummary`). It judges nothing itself.
 */
import { createContext, type RefObject, useContext, useLayoutEffect, useRef } from 'react';

export interface FieldFault {
  label: string;
  fault: string;
  place: HTMLElement;
}

/** Gives back how to take it back. */
export const Tell = createContext<((fault: FieldFault) => () => void) | null>(null);
/** The summary above the form. */
export const Told = createContext<readonly FieldFault[]>([]);

/** Whether a field of this form says this already. */
export function useIsTold(): (sentence: string) => boolean {
  const told = useContext(Told);
  return (sentence) => told.some(({ fault }) => fault === sentence);
}

/** For the element around a field: the summary shows its fault too. */
export function useFieldFault<E extends HTMLElement>(label: string, fault: string | undefined): RefObject<E | null> {
  const place = useRef<E>(null);
  const tell = useContext(Tell);
  useLayoutEffect(() => {
    if (fault === undefined || place.current === null) return;
    return tell?.({ label, fault, place: place.current });
  }, [tell, label, fault]);
  return place;
}
