/** The form of a new number. */
import { useState } from 'react';
import { useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Select, TextField } from '../../ui/Field';
import { Form } from '../../ui/Page';
import { FormFault, faultOf } from '../../ui/States';
import { useCampaigns } from '../campaigns/campaigns';
import { useAddNumber } from './numbers';

const numberWords = labelsOf('number');

const words = numberWords.addDialog;

export function AddNumber({ onClose }: { onClose(): void }) {
  const { environment } = useMe();
  const campaigns = useCampaigns();
  const add = useAddNumber();
  const [number, setNumber] = useState('');
  const [name, setName] = useState('');
  const [campaignId, setCampaignId] = useState('');
  const choices = [
    { value: '', label: words.noCampaign },
    ...(campaigns.data ?? []).map((one) => ({ value: one.campaignId, label: one.name })),
  ];
  const form = { number, name, campaignId: campaignId === '' ? null : campaignId };
  return (
    <Dialog title={words.title} open onClose={onClose}>
      <Form label={words.title} onSubmit={() => add.mutate(form, { onSuccess: onClose })}>
        <FormFault error={add.error} />
        <TextField
          label={words.number}
          help={environment === 'sandbox' ? words.sandboxHelp : words.liveHelp}
          inputMode="tel"
          value={number}
          onChange={setNumber}
          fault={faultOf(add.error, 'number')}
          isRequired
          autoFocus
        />
        <TextField
          label={words.name}
          help={words.nameHelp}
          value={name}
          onChange={setName}
          fault={faultOf(add.error, 'name')}
        />
        <Select
          label={words.campaign}
          help={words.campaignHelp}
          choices={choices}
          value={campaignId}
          onChange={setCampaignId}
          fault={faultOf(add.error, 'campaignId')}
        />
        <DialogActions>
          <Button onPress={onClose}>{words.cancel}</Button>
          <Button look="primary" type="submit" isPending={add.isPending}>
            {words.add}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
