/** SMS and MMS of a number, on or off: turning off needs a confirmation that shows its consequences. And its approval. */
import { useState } from 'react';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Switch } from '../../ui/Field';
import { FormFault, Loading } from '../../ui/States';
import { phoneText } from '../../ui/Values';
import styles from './Numbers.module.css';
import { isConflict, type NumberRow, useChangeNumber, useNumber } from './numbers';

const labels = labelsOf('number');

export function SmsSwitch({ of, mayChange, label }: { of: NumberRow; mayChange: boolean; label?: string }) {
  const change = useChangeNumber(of.number);
  const [asking, ask] = useState(false);
  const turn = (smsEnabled: boolean) =>
    change.mutate({ smsEnabled, version: of.version }, { onSuccess: () => ask(false) });
  return (
    <div className={styles.cell}>
      <Switch
        label={label ?? labels.smsOf(phoneText(of.number))}
        hideLabel={label === undefined}
        isSelected={of.smsEnabled}
        isReadOnly={!mayChange}
        onChange={(on) => (on ? turn(true) : ask(true))}
      />
      {!asking && <FormFault error={change.error} />}
      {asking && (
        <TurnOff
          of={of}
          error={change.error}
          pending={change.isPending}
          onTurn={() => turn(false)}
          onClose={() => ask(false)}
        />
      )}
    </div>
  );
}

function TurnOff({
  of,
  error,
  pending,
  onTurn,
  onClose,
}: {
  of: NumberRow;
  error: unknown;
  pending: boolean;
  onTurn(): void;
  onClose(): void;
}) {
  const whole = useNumber(of.number);
  const { title, consequence, queued, confirm, keep } = labels.turnOff;
  return (
    <Dialog title={title(phoneText(of.number))} open onClose={onClose} urgent>
      <FormFault error={error} />
      <p>{consequence}</p>
      {whole.data === undefined ? <Loading rows={1} /> : <p>{queued(whole.data.queued)}</p>}
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {keep}
        </Button>
        {!isConflict(error) && (
          <Button look="danger" onPress={onTurn} isPending={pending}>
            {confirm}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}

export function MmsSwitch({ of, mayChange, label }: { of: NumberRow; mayChange: boolean; label?: string }) {
  const change = useChangeNumber(of.number);
  const [asking, ask] = useState(false);
  const turn = (mmsEnabled: boolean) =>
    change.mutate({ mmsEnabled, version: of.version }, { onSuccess: () => ask(false) });
  if (of.countries !== null) return <span className={styles.muted}>{labels.mmsNotFromName}</span>;
  if (!of.smsEnabled) return <span className={styles.muted}>{labels.mmsNeedsSms}</span>;
  const { title, consequence, confirm } = labels.turnMmsOff;
  return (
    <div className={styles.cell}>
      <Switch
        label={label ?? labels.mmsOf(phoneText(of.number))}
        hideLabel={label === undefined}
        isSelected={of.mmsEnabled}
        isReadOnly={!mayChange}
        onChange={(on) => (on ? turn(true) : ask(true))}
      />
      {!asking && <FormFault error={change.error} />}
      {asking && (
        <Dialog title={title(phoneText(of.number))} open onClose={() => ask(false)} urgent>
          <FormFault error={change.error} />
          <p>{consequence}</p>
          <DialogActions>
            <Button onPress={() => ask(false)} autoFocus>
              {labels.turnOff.keep}
            </Button>
            <Button look="danger" onPress={() => turn(false)} isPending={change.isPending}>
              {confirm}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </div>
  );
}

/** Whether carriers have approved a toll-free number or short code, as an operator records it. */
export function VerifiedSwitch({ of, mayChange }: { of: NumberRow; mayChange: boolean }) {
  const change = useChangeNumber(of.number);
  return (
    <div className={styles.cell}>
      <Switch
        label={labels.verified.label}
        isSelected={of.verified === true}
        isReadOnly={!mayChange}
        onChange={(verified) => change.mutate({ verified, version: of.version })}
      />
      <FormFault error={change.error} />
    </div>
  );
}
