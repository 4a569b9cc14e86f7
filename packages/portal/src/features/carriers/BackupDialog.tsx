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

const carrierWords = labelsOf('carrier');

const words = carrierWords.backup;

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
    <Dialog title={words.title(of.name)} open onClose={onClose} urgent>
      <FormFault error={send.error} />
      <Shown of={found}>
        {({ looked, isAll }) =>
          chosen === undefined ? (
            <Notice tone="warn" title={words.none.title}>
              <p>{words.none.detail}</p>
            </Notice>
          ) : (
            <>
              <Select
                label={words.to}
                value={chosen.carrierId}
                onChange={pick}
                fault={faultOf(send.error, 'to')}
                choices={fitting.map(({ carrierId, name, up, paused, fits }) => ({
                  value: carrierId,
                  label: words.choice(name, paused ? 'paused' : up ? 'up' : 'down', fits),
                }))}
              />
              <p>{words.consequence(chosen.fits, looked, chosen.name)}</p>
              {!isAll && <p>{words.more(looked)}</p>}
              {(!chosen.up || chosen.paused) && <Notice tone="warn" title={words.waitsThere} />}
            </>
          )
        }
      </Shown>
      <DialogActions>
        <Button onPress={onClose}>{carrierWords.cancel}</Button>
        {chosen !== undefined && (
          <Button look="danger" onPress={() => send.mutate()} isPending={send.isPending}>
            {words.go(chosen.fits)}
          </Button>
        )}
      </DialogActions>
    </Dialog>
  );
}
