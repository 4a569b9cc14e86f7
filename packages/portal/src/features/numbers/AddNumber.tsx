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
import { countriesIn, isName, useAddNumber } from './numbers';

const numberLabels = labelsOf('number');

const labels = numberLabels.addDialog;

export function AddNumber({ onClose }: { onClose(): void }) {
  const { environment } = useMe();
  const campaigns = useCampaigns();
  const add = useAddNumber();
  const [number, setNumber] = useState('');
  const [name, setName] = useState('');
  const [campaignId, setCampaignId] = useState('');
  const [countries, setCountries] = useState('');
  const isOfName = environment === 'live' && isName(number);
  const choices = [
    { value: '', label: labels.noCampaign },
    ...(campaigns.data ?? []).map((one) => ({ value: one.campaignId, label: one.name })),
  ];
  const form = isOfName
    ? { number, name, campaignId: null, countries: countriesIn(countries) }
    : { number, name, campaignId: campaignId === '' ? null : campaignId };
  return (
    <Dialog title={labels.title} open onClose={onClose}>
      <Form label={labels.title} onSubmit={() => add.mutate(form, { onSuccess: onClose })}>
        <FormFault error={add.error} />
        <TextField
          label={labels.number}
          help={environment === 'sandbox' ? labels.sandboxHelp : labels.liveHelp}
          inputMode={environment === 'sandbox' ? 'tel' : 'text'}
          value={number}
          onChange={setNumber}
          fault={faultOf(add.error, 'number')}
          isRequired
          autoFocus
        />
        <TextField
          label={labels.name}
          help={labels.nameHelp}
          value={name}
          onChange={setName}
          fault={faultOf(add.error, 'name')}
        />
        {isOfName ? (
          <TextField
            label={labels.countries}
            help={labels.countriesHelp}
            value={countries}
            onChange={setCountries}
            fault={faultOf(add.error, 'countries')}
          />
        ) : (
          <Select
            label={labels.campaign}
            help={labels.campaignHelp}
            choices={choices}
            value={campaignId}
            onChange={setCampaignId}
            fault={faultOf(add.error, 'campaignId')}
          />
        )}
        <DialogActions>
          <Button onPress={onClose}>{labels.cancel}</Button>
          <Button look="primary" type="submit" isPending={add.isPending}>
            {labels.add}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
