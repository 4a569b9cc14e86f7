/** Rotates a secret, and says how long the old one stays valid. The caller creates the new one. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from './Button';
import { Dialog, DialogActions } from './Dialog';
import { Select } from './Field';
import { FormFault } from './States';

const overlapHours = [0, 1, 24, 72, 168] as const;

export interface RotateLabels {
  what: string;
  overlap: string;
  none: string;
  hours(hours: number): string;
  days(days: number): string;
  go: string;
}

export function RotateDialog<T>({
  title,
  labels,
  cancel,
  rotate,
  onClose,
  onRotated,
}: {
  title: string;
  labels: RotateLabels;
  cancel: string;
  rotate(overlapHours: number): Promise<T>;
  onClose(): void;
  onRotated(made: T): void;
}) {
  const [hours, setHours] = useState('24');
  const overlapText = (value: number): string =>
    value === 0 ? labels.none : value <= 24 ? labels.hours(value) : labels.days(value / 24);
  const send = useMutation({
    mutationFn: () => rotate(Number(hours)),
    onSuccess: (made) => {
      onClose();
      onRotated(made);
    },
  });
  return (
    <Dialog title={title} open onClose={onClose}>
      <FormFault error={send.error} />
      <p>{labels.what}</p>
      <Select
        label={labels.overlap}
        value={hours}
        onChange={setHours}
        choices={overlapHours.map((value) => ({ value: String(value), label: overlapText(value) }))}
      />
      <DialogActions>
        <Button onPress={onClose}>{cancel}</Button>
        <Button look="primary" onPress={() => send.mutate()} isPending={send.isPending}>
          {labels.go}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
