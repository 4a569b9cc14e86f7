/** Says that the data are generated, with a button that removes them. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { FormFault, Notice } from '../../ui/States';

const homeLabels = labelsOf('home');

const labels = homeLabels.demo;

export function DemoNotice({ messages }: { messages: number }) {
  const mayRemove = useMay('manageCompany');
  const client = useQueryClient();
  const remove = useMutation({
    mutationFn: () => api.delete('/sandbox/demo'),
    onSuccess: () => client.invalidateQueries(),
  });
  return (
    <Notice
      tone="info"
      title={labels.title(messages)}
      actions={
        mayRemove && (
          <Button onPress={() => remove.mutate()} isPending={remove.isPending}>
            {remove.isPending ? labels.removing : labels.remove}
          </Button>
        )
      }
    >
      {labels.about}
      <FormFault error={remove.error} />
    </Notice>
  );
}
