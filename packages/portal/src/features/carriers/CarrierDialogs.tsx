/** Confirmations before a carrier stops taking messages: each says how many wait and what will happen to them. */

import type { CarrierShown } from '../../api/routes/carriers';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { FormFault } from '../../ui/States';
import { pauseCarrier, switchCarrier, useCarrierAct } from './use-carrier-acts';

const carrierLabels = labelsOf('carrier');

export function PauseDialog({ of, onClose }: { of: CarrierShown; onClose(): void }) {
  return <StopDialog of={of} labels={carrierLabels.pauseDialog} act={() => pauseCarrier(of, true)} onClose={onClose} />;
}

export function SwitchOffDialog({ of, onClose }: { of: CarrierShown; onClose(): void }) {
  return (
    <StopDialog of={of} labels={carrierLabels.switchDialog} act={() => switchCarrier(of, false)} onClose={onClose} />
  );
}

/** Says how many wait, then stops the carrier. */
function StopDialog(props: {
  of: CarrierShown;
  labels: { title(name: string): string; consequence(waiting: number): string; go: string };
  act(): Promise<unknown>;
  onClose(): void;
}) {
  const { of, labels, act, onClose } = props;
  const send = useCarrierAct(act, onClose);
  return (
    <Dialog title={labels.title(of.name)} open onClose={onClose} urgent>
      <FormFault error={send.error} />
      <p>{labels.consequence(of.queue.waiting)}</p>
      <DialogActions>
        <Button onPress={onClose}>{carrierLabels.cancel}</Button>
        <Button look="danger" onPress={() => send.mutate()} isPending={send.isPending}>
          {labels.go}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
