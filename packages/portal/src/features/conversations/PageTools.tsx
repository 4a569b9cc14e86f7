/** Tools of the inbox: files of contacts, notifications and sound of this browser. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { useMay } from '../../api/session';
import { setNotify, setSound, useNotifyState, useSoundState } from '../../frame/notify';
import { labelsOf } from '../../language/labels';
import { Button, IconButton } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { saveAnswer } from '../../ui/download';
import { Switch } from '../../ui/Field';
import { ImportDialog } from '../../ui/ImportDialog';
import { Row } from '../../ui/Page';
import { FormFault } from '../../ui/States';
import { ActionMenu } from '../../ui/Tabs';
import { importBody } from '../opt-outs/opt-outs';

const labels = labelsOf('conversation');
const contactLabels = labelsOf('contact');

const example = 'contact,name,note,tags\n12025550100,Maria Lopez,Calls back on Fridays,vip;wholesale\n';

export function PageTools() {
  const maySend = useMay('send');
  const [opened, open] = useState<'import' | 'notices' | null>(null);
  const download = useMutation({
    mutationFn: () => saveAnswer('contacts.csv', '/contacts/export'),
  });
  const close = () => open(null);
  return (
    <Row>
      <FormFault error={download.error} />
      <ActionMenu
        label={contactLabels.menu}
        tool="person"
        actions={[
          ...(maySend ? [{ id: 'import', label: contactLabels.importCsv, run: () => open('import') }] : []),
          { id: 'export', label: contactLabels.exportCsv, run: () => download.mutate() },
        ]}
      />
      <IconButton icon="alert" label={labels.notices} onPress={() => open('notices')} />
      {opened === 'notices' && <Notices onClose={close} />}
      {opened === 'import' && (
        <ImportDialog
          labels={contactLabels.import}
          what={contactLabels.import.what}
          example={example}
          accept=".csv,.json,text/csv,application/json"
          send={(file) => api.upload('/contacts/import', file)}
          stale="conversations"
          bodyOf={importBody}
          subject={{ title: contactLabels.import.number, of: ({ contact }) => contact }}
          onClose={close}
        />
      )}
    </Row>
  );
}

/** Both are off until the person turns them on, and only for this browser. */
function Notices({ onClose }: { onClose(): void }) {
  const notify = useNotifyState();
  const sound = useSoundState();
  const why = notify === 'denied' ? labels.notifyDenied : notify === 'unable' ? labels.notifyUnable : '';
  return (
    <Dialog title={labels.notices} open onClose={onClose}>
      {(notify === 'on' || notify === 'off') && (
        <Switch label={labels.notify} isSelected={notify === 'on'} onChange={(on) => void setNotify(on)} />
      )}
      <p role="status">{why}</p>
      <Switch label={labels.sound} isSelected={sound} onChange={setSound} />
      <DialogActions>
        <Button look="primary" onPress={onClose}>
          {contactLabels.import.close}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
