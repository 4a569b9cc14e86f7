/**
 * The faults of a form's fields, above it: each links to its field, and the summary takes the focus when the form was
 * submitted.
 */
import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { labelsOf } from '../language/labels';
import { type FieldFault, ReportFault, ShownFaults } from './faults';
import { Notice } from './States';
import styles from './States.module.css';

const frameLabels = labelsOf('frame');

/** Around the fields of one form. `attempts`: how often it was submitted; `touched`: something was filled in since. */
export function FaultSummary({
  attempts,
  touched,
  children,
}: {
  attempts: number;
  touched: RefObject<boolean>;
  children: ReactNode;
}) {
  const [shown, setShown] = useState<readonly FieldFault[]>([]);
  const summary = useRef<HTMLDivElement>(null);
  const report = useCallback((one: FieldFault) => {
    setShown((before) => [...before, one].sort(inOrder));
    return () => setShown((before) => before.filter((other) => other !== one));
  }, []);
  const isShown = attempts > 0 && shown.length > 0;
  // Faults that come while somebody types take nothing out of their hands. `attempts`: sent again, it is read again.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the count is what changes.
  useEffect(() => {
    if (isShown && !touched.current) summary.current?.focus();
  }, [attempts, isShown, touched]);
  return (
    <ReportFault value={report}>
      <ShownFaults value={isShown ? shown : none}>
        {isShown && (
          <div ref={summary} tabIndex={-1} className={styles.focused}>
            <Notice tone="bad" title={frameLabels.faults(shown.length)}>
              <ul className={styles.faults}>
                {shown.map((one) => (
                  <li key={`${one.label} ${one.fault}`}>
                    <FaultLink to={one} />
                  </li>
                ))}
              </ul>
            </Notice>
          </div>
        )}
        {children}
      </ShownFaults>
    </ReportFault>
  );
}

const none: readonly FieldFault[] = [];

function inOrder(a: FieldFault, b: FieldFault): number {
  return (a.element.compareDocumentPosition(b.element) & Node.DOCUMENT_POSITION_FOLLOWING) === 0 ? 1 : -1;
}

function FaultLink({ to: { label, fault, element } }: { to: FieldFault }) {
  const control = element.querySelector<HTMLElement>(
    'input:not([type=hidden], [aria-hidden=true] *), textarea, button:not([aria-hidden=true] *)',
  );
  return (
    <a
      href={`#${control?.id ?? ''}`}
      onClick={(event) => {
        // The address does not change: it may contain the key of a one-time link.
        event.preventDefault();
        control?.focus();
      }}
    >
      {label}: {fault}
    </a>
  );
}
