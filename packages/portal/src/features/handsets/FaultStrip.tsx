/** A banner with the active faults of the sandbox, and a button that ends them. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Icon } from '../../ui/icons';
import styles from './Handsets.module.css';
import { faultsText } from './handsets';
import { faultsQuery, linksUpQuery } from './queries';

const handsetLabels = labelsOf('handset');

const labels = handsetLabels.trouble;

export function FaultStrip() {
  const client = useQueryClient();
  const may = useMay('send');
  const { data } = useQuery(faultsQuery);
  const links = useQuery({ ...linksUpQuery, enabled: data?.refuseBind === true });
  const off = useMutation({
    mutationFn: () => api.post('/sandbox/faults', {}),
    onSuccess: ({ data: faults }) => client.setQueryData(faultsQuery.queryKey, faults),
  });
  if (data === undefined) return null;
  return (
    <div className={styles.strip}>
      <Icon name="warning" />
      <span>{labels.on(faultsText(data, links.data))}</span>
      {may && (
        <Button look="danger" isPending={off.isPending} onPress={() => off.mutate()}>
          {labels.turnOff}
        </Button>
      )}
    </div>
  );
}
