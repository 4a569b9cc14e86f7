/** The sandbox of this gateway: whether it runs, and what can be emptied. It cannot be switched on or off here. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useMay, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button, LinkButton } from '../../ui/Button';
import { Facts, Panel, Row } from '../../ui/Page';
import { FormFault, Notice, Shown } from '../../ui/States';
import { DemoNotice } from '../home/DemoNotice';
import { homeQuery } from '../home/home-data';
import { SettingsPage } from './SettingsPage';

const settingsLabels = labelsOf('settings');

const labels = settingsLabels.sandbox;

export function SandboxPage() {
  const { sandbox, environment } = useMe();
  const mayRead = useMay('readBody');
  return (
    <SettingsPage title={labels.title}>
      <Panel>
        <p>{labels.what}</p>
        <Facts facts={[[labels.state, sandbox ? labels.on : labels.off]]} />
        <p>
          {labels.configured} <code>HELIO_SANDBOX</code>
        </p>
        {sandbox && mayRead && (
          <Row>
            <LinkButton to="/handsets">{labels.handsets}</LinkButton>
          </Row>
        )}
      </Panel>
      {sandbox && environment === 'live' && <Notice tone="info" title={labels.live} />}
      {sandbox && environment === 'sandbox' && (
        <>
          <Panel title={labels.demo}>
            <Demo />
          </Panel>
          <Reset />
        </>
      )}
    </SettingsPage>
  );
}

function Demo() {
  const home = useQuery(homeQuery);
  return (
    <Shown of={home} rows={1}>
      {({ demo }) => (demo === null ? <p>{labels.noDemo}</p> : <DemoNotice messages={demo.messages} />)}
    </Shown>
  );
}

function Reset() {
  const may = useMay('send');
  const client = useQueryClient();
  const reset = useMutation({
    mutationFn: () => api.post('/sandbox/reset', {}),
    onSuccess: () => client.invalidateQueries(),
  });
  if (!may) return null;
  return (
    <Panel title={labels.reset}>
      <p>{labels.resetDetail}</p>
      <FormFault error={reset.error} />
      <Row>
        <Button onPress={() => reset.mutate()} isPending={reset.isPending}>
          {labels.resetGo}
        </Button>
        <span role="status">{reset.isSuccess && labels.resetDone}</span>
      </Row>
    </Panel>
  );
}
