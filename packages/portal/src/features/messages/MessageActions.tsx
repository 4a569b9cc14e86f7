/** The actions on one message: send again, release or cancel it while it waits, open its conversation. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { ApiRequest } from '../../ui/ApiRequest';
import { Button, LinkButton } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { FormFault, Notice } from '../../ui/States';
import { ActionMenu } from '../../ui/Tabs';
import type { FullMessage, Whole } from './message-data';

const messageLabels = labelsOf('message');
const labels = labelsOf('story');

export function MessageActions({ message }: Pick<FullMessage, 'message'>) {
  const maySend = useMay('send');
  const readsTexts = useMay('readBody');
  const client = useQueryClient();
  const [asking, setAsking] = useState<'cancel' | 'release' | null>(null);
  const { messageId, from, to, text, direction, state } = message;
  const decide = useMutation({
    mutationFn: (what: 'cancel' | 'release') => api.post(`/messages/:messageId/${what}`, {}, { messageId }),
    onSettled: () => {
      setAsking(null);
      void client.invalidateQueries({ queryKey: ['audit'] });
      return client.invalidateQueries({ queryKey: ['message', messageId] });
    },
  });
  const own = direction === 'outbound' ? from : to;
  const peer = direction === 'outbound' ? to : from;
  return (
    <>
      {maySend && direction === 'outbound' && text !== null && <SendAgain message={message} />}
      {maySend && state === 'held' && <Button onPress={() => setAsking('release')}>{messageLabels.one.release}</Button>}
      {maySend && (state === 'queued' || state === 'held') && (
        <Button look="danger" onPress={() => setAsking('cancel')}>
          {messageLabels.one.cancel}
        </Button>
      )}
      {readsTexts && (
        <LinkButton to="/conversations/$number/$peer" params={{ number: own, peer }}>
          {messageLabels.one.conversation}
        </LinkButton>
      )}
      <ApiRequest path={`/api/v1/messages/${messageId}`} />
      <FormFault error={decide.error} />
      {asking !== null && (
        <Dialog
          title={asking === 'cancel' ? messageLabels.one.cancelTitle : messageLabels.one.releaseTitle}
          open
          urgent
          onClose={() => setAsking(null)}
        >
          <p>{asking === 'cancel' ? messageLabels.one.cancelDetail : messageLabels.one.releaseDetail}</p>
          <DialogActions>
            <Button onPress={() => setAsking(null)}>{messageLabels.one.keep}</Button>
            <Button look="danger" isPending={decide.isPending} onPress={() => decide.mutate(asking)}>
              {asking === 'cancel' ? messageLabels.one.cancelIt : messageLabels.one.releaseIt}
            </Button>
          </DialogActions>
        </Dialog>
      )}
    </>
  );
}

/** Sends again: through the same carrier, by the present rules, or as a new draft. */
function SendAgain({ message: { messageId } }: { message: Whole }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const resend = useMutation({
    mutationFn: async (way: 'same' | 'fresh') =>
      (await api.post('/messages/:messageId/resend', { way }, { messageId })).data,
    // The message's activity shows it.
    onSuccess: () => client.invalidateQueries({ queryKey: ['audit'] }),
  });
  return (
    <>
      <ActionMenu
        label={labels.again}
        actions={[
          { id: 'same', label: labels.same, detail: labels.sameHelp, run: () => resend.mutate('same') },
          { id: 'fresh', label: labels.fresh, detail: labels.freshHelp, run: () => resend.mutate('fresh') },
          {
            id: 'edit',
            label: labels.edit,
            run: () => void navigate({ to: '/messages/new', search: { like: messageId } as never }),
          },
        ]}
      />
      <FormFault error={resend.error} />
      {resend.data !== undefined && (
        <Notice tone="ok" title={labels.resent}>
          <Link to="/messages/$messageId" params={{ messageId: resend.data.messageId }}>
            {labels.openNew}
          </Link>
        </Notice>
      )}
    </>
  );
}
