/** A message once more: over the same way, by today's rules, or as the beginning of a new one. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { api } from '../../api/client';
import { labelsOf } from '../../language/labels';
import { FormFault, Notice } from '../../ui/States';
import { ActionMenu } from '../../ui/Tabs';
import type { Whole } from './message-data';

const words = labelsOf('story');

export function SendAgain({ message: { messageId } }: { message: Whole }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const resend = useMutation({
    mutationFn: async (way: 'same' | 'fresh') =>
      (await api.post('/messages/:messageId/resend', { way }, { messageId })).data,
    // Its activity shows it.
    onSuccess: () => client.invalidateQueries({ queryKey: ['audit'] }),
  });
  return (
    <>
      <ActionMenu
        label={words.again}
        actions={[
          { id: 'same', label: words.same, detail: words.sameHelp, run: () => resend.mutate('same') },
          { id: 'fresh', label: words.fresh, detail: words.freshHelp, run: () => resend.mutate('fresh') },
          {
            id: 'edit',
            label: words.edit,
            run: () => void navigate({ to: '/messages/new', search: { like: messageId } as never }),
          },
        ]}
      />
      <FormFault error={resend.error} />
      {resend.data !== undefined && (
        <Notice tone="ok" title={words.resent}>
          <Link to="/messages/$messageId" params={{ messageId: resend.data.messageId }}>
            {words.openNew}
          </Link>
        </Notice>
      )}
    </>
  );
}
