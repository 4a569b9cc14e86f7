/** Sets the prices of one company, on every page that offers it. Explains that costs of past days change too. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError, api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Form } from '../../ui/Page';
import { Focused, FormFault, Notice, Shown } from '../../ui/States';
import { type Account, useAccount } from './accounts';
import { PriceRows } from './PriceRows';
import { isFaultless, priceFaults, ratesOf, rowsOf } from './price-book';

const accountLabels = labelsOf('account');

const labels = accountLabels.prices;

export function PricesDialog({ accountId, onClose }: { accountId: string; onClose(): void }) {
  const account = useAccount(accountId);
  return (
    <Dialog title={labels.dialog} open onClose={onClose} wide>
      <Shown of={account}>{(found) => <PricesForm of={found} onClose={onClose} />}</Shown>
    </Dialog>
  );
}

function PricesForm({ of, onClose }: { of: Account; onClose(): void }) {
  const client = useQueryClient();
  // The version at opening: another person's change must not be overwritten.
  const [version] = useState(of.version);
  const [rows, setRows] = useState(() => rowsOf(of.rates));
  const [tried, setTried] = useState(false);
  const faults = priceFaults(rows);
  const save = useMutation({
    mutationFn: () =>
      api.post('/accounts/:accountId', { record: { rates: ratesOf(rows) }, version }, { accountId: of.accountId }),
    onSuccess: async () => {
      await Promise.all(['accounts', 'company', 'usage'].map((area) => client.invalidateQueries({ queryKey: [area] })));
      onClose();
    },
  });
  const { error } = save;
  const isConflict = error instanceof ApiError && error.reason === 'CONFLICT';
  return (
    <Form
      label={labels.dialog}
      onSubmit={() => {
        setTried(true);
        if (isFaultless(faults)) save.mutate();
      }}
    >
      {isConflict ? (
        <Focused>
          <Notice tone="warn" title={accountLabels.form.conflict} />
        </Focused>
      ) : (
        <FormFault error={error} />
      )}
      <p>{labels.what(of.name)}</p>
      <PriceRows rows={rows} faults={tried ? faults : []} onChange={setRows} />
      <DialogActions>
        <Button onPress={onClose}>{accountLabels.cancel}</Button>
        <Button look="primary" type="submit" isPending={save.isPending}>
          {labels.save}
        </Button>
      </DialogActions>
    </Form>
  );
}
