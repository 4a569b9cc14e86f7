/** Tests the form's settings without saving them, and shows each step as the gateway reports it. */
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Row } from '../../ui/Page';
import { FormFault } from '../../ui/States';
import { Badge } from '../../ui/Status';
import styles from './Carriers.module.css';

const carrierLabels = labelsOf('carrier');

export function ConnectionTest({ record }: { record(): Record<string, unknown> }) {
  const labels = carrierLabels.test;
  const test = useMutation({
    mutationFn: async () => api.post('/carriers/test', { record: record() }),
  });
  // In a long form the result is below the visible part.
  const result = useRef<HTMLDivElement>(null);
  const { data } = test;
  useEffect(() => {
    if (data !== undefined) result.current?.scrollIntoView({ block: 'nearest' });
  }, [data]);
  return (
    <div className={styles.group}>
      <Row>
        <Button onPress={() => test.mutate()} isPending={test.isPending}>
          {labels.go}
        </Button>
        <span className={styles.muted}>{test.isPending ? labels.running : labels.what}</span>
      </Row>
      <FormFault error={test.error} />
      <div role="status" ref={result} className={styles.tested}>
        {test.data !== undefined && (
          <>
            <p>{test.data.detail}</p>
            <ol className={styles.steps} aria-label={labels.title}>
              {test.data.data.steps.map(({ step, ok, detail, tookMs }, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: two steps may share a name; their order is fixed
                <li key={`${index} ${step}`} className={styles.step}>
                  <Badge tone={ok ? 'ok' : 'bad'} icon={ok ? 'check' : 'cross'} word={ok ? labels.ok : labels.bad} />
                  <span className={styles.words}>
                    {step}: {detail}
                  </span>
                  <span className={styles.muted}>{labels.took(tookMs)}</span>
                </li>
              ))}
            </ol>
          </>
        )}
      </div>
    </div>
  );
}
