/**
 * Sends a carrier's waiting messages through another carrier: which one can take how many, the choice, and the number
 * to be moved.
 */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { CarrierShown } from '../../api/routes/carriers';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Select } from '../../ui/Field';
import { FormFault, faultOf, Notice, Shown } from '../../ui/States';
import { useCarrierAct } from './use-carrier-acts';

const carrierLabels = labelsOf('carrier');

const labels = carrierLabels.backup;

export function BackupDialog({ of, onClose }: { of: CarrierShown; onClose(): void }) {
  const { carrierId: from } = of;
  const found = useQuery({
    queryKey: ['carriers', 'backups', of.carrierId],
    queryFn: async () => (await api.get('/carriers/:carrierId/backups', { carrierId: from })).data,
  });
  const fitting = (found.data?.backups ?? []).filter(({ fits }) => fits > 0);
  const [picked, pick] = useState('');
  const chosen = fitting.find(({ carrierId }) => carrierId === picked) ?? fitting[0];
  const send = useCarrierAct(
    () => api.post('/carriers/:carrierId/send-via', { to: chosen?.carrierId ?? '' }, { carrierId: from }),
    onClose,
  );
  return (
    <Dialog title={labels.title(of.name)} open onClose={onClose} urgent>
      <FormFault error={send.error} />
      <Shown of={found}>
        {({ looked, isAll }) =>
          chosen === undefined ? (
            <Notice tone="warn" title={labels.none.title}>
              <p>{labels.none.detail}</p>
            </Notice>
          ) : (
            <>
              <Select
                label={labels.to}
                value={chosen.carrierId}
                onChange={pick}
                fault={faultOf(send.error, 'to')}
                choices={fitting.map(({ carrierId, name, up, paused, fits }) => ({
                  value: carrierId,
                  label: labels.choice(name, paused ? 'paused' : up ? 'up' : 'down', fits),
                }))}
              />
              <p>{labels.consequence(chosen.fits, looked, chosen.name)}</p>
              {!isAll && <p>{labels.more(looked)}</p>}
              {(!chosen.up || chosen.paused) && <Notice tone="warn" title={labels.waitsThere} />}
            </>
          )
        }
      </Shown>
      <DialogActions>
        <Button onPress={onClose}>{carrierLabels.cancel}</Button>
        {chosen !== undefined && (
          <Button look="danger" onPress={() => send.mutate()} isPending={send.isPending}>
            {labels.go(chosen.fits)}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
