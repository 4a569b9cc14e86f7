/**
 * How a field reports its fault to the form around it, whether the page or the gateway found it. The form repeats it
 * above (`FaultSummary`).
 */
import { createContext, type RefObject, useContext, useLayoutEffect, useRef } from 'react';

export interface FieldFault {
  label: string;
  fault: string;
  element: HTMLElement;
}

/** Returns the function that withdraws it. */
export const ReportFault = createContext<((fault: FieldFault) => () => void) | null>(null);
/** The summary above the form. */
export const ShownFaults = createContext<readonly FieldFault[]>([]);

/** Whether a field of this form already shows this sentence. */
export function useIsShown(): (sentence: string) => boolean {
  const shown = useContext(ShownFaults);
  return (sentence) => shown.some(({ fault }) => fault === sentence);
}

/** For the element around a field: the summary shows its fault too. */
export function useFieldFault<E extends HTMLElement>(label: string, fault: string | undefined): RefObject<E | null> {
  const element = useRef<E>(null);
  const report = useContext(ReportFault);
  useLayoutEffect(() => {
    if (fault === undefined || element.current === null) return;
    return report?.({ label, fault, element: element.current });
  }, [report, label, fault]);
  return element;
}
