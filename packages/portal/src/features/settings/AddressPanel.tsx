/** The public address of this gateway, and whether the gateway answers there. It cannot be set here. */
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Panel, Row } from '../../ui/Page';
import { FormFault, Notice } from '../../ui/States';

const upkeepLabels = labelsOf('upkeep');

const labels = upkeepLabels.address;

export function AddressPanel() {
  const { publicUrl, baseUrl, permissions } = useMe();
  const test = useMutation({ mutationFn: () => api.post('/public-url/test', {}) });
  const found = test.data?.data;
  return (
    <Panel title={labels.title}>
      <p>{labels.what}</p>
      <p>
        {publicUrl === null && `${labels.none} `}
        <code>{publicUrl ?? baseUrl}</code>
      </p>
      <p>
        {labels.configured} <code>HELIO_PUBLIC_URL</code>
      </p>
      <FormFault error={test.error} />
      {found !== undefined && (
        <Notice tone={found.ok ? 'ok' : 'warn'} title={found.detail}>
          {found.fix ?? undefined}
        </Notice>
      )}
      {publicUrl !== null && permissions.includes('manageCompany') && (
        <Row>
          <Button isPending={test.isPending} onPress={() => test.mutate()}>
            {labels.test}
          </Button>
          <span>{labels.testing}</span>
        </Row>
      )}
    </Panel>
  );
}
