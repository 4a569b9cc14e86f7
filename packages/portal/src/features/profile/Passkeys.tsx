/** The passkeys of this person: add, name, remove; or why passkeys are not available. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { hasPasskeys, makePasskey } from '../../api/passkeys';
import type { PasskeyShown } from '../../api/routes/me';
import { meQuery } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { TextField } from '../../ui/Field';
import { Form, Panel, Row } from '../../ui/Page';
import { FormFault, faultOf, Notice, Shown } from '../../ui/States';
import { Table } from '../../ui/Table';
import { Time } from '../../ui/Values';
import { PasskeyFault } from '../sign-in/PasskeyButton';
import { browserName } from './browser-name';
import { RecoveryCodes } from './RecoveryCodes';

const labels = labelsOf('profile').passkeys;

type Doing = { act: 'rename' | 'remove'; passkey: PasskeyShown };

export function Passkeys() {
  const client = useQueryClient();
  const [doing, setDoing] = useState<Doing | null>(null);
  const own = useQuery({
    queryKey: ['passkeys'],
    queryFn: async () => (await api.get('/me/passkeys')).data,
  });
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const refresh = () =>
    Promise.all([
      client.invalidateQueries({ queryKey: ['passkeys'] }),
      client.invalidateQueries({ queryKey: meQuery.queryKey }),
    ]);
  return (
    <Panel title={labels.title}>
      <p>{labels.what}</p>
      {codes !== null && <RecoveryCodes key={codes[0]} codes={codes} onKept={() => setCodes(null)} />}
      <Shown of={own}>
        {({ passkeys, none, at }) => (
          <>
            {passkeys.length > 0 && <List passkeys={passkeys} onDo={setDoing} />}
            {none !== null || at !== location.origin || !hasPasskeys() ? (
              <Notice tone="info" title={labels.notHere}>
                <p>
                  {none !== null
                    ? labels.none[none]
                    : at !== location.origin
                      ? labels.elsewhere(at ?? '')
                      : labels.unable}
                </p>
              </Notice>
            ) : (
              <Add
                onAdded={(recoveryCodes) => {
                  if (recoveryCodes !== null) setCodes(recoveryCodes);
                  void refresh();
                }}
              />
            )}
          </>
        )}
      </Shown>
      <Dialog
        title={doing?.act === 'remove' ? labels.removeTitle(doing.passkey.name) : labels.renameTitle}
        open={doing !== null}
        onClose={() => setDoing(null)}
        urgent={doing?.act === 'remove'}
      >
        {doing !== null && (
          <Do
            doing={doing}
            onClose={() => setDoing(null)}
            onDone={() => {
              setDoing(null);
              void refresh();
            }}
          />
        )}
      </Dialog>
    </Panel>
  );
}

function List({ passkeys, onDo }: { passkeys: readonly PasskeyShown[]; onDo(doing: Doing): void }) {
  return (
    <Table
      cardsBelow={900}
      caption={labels.title}
      rows={passkeys}
      keyOf={({ passkeyId }) => passkeyId}
      columns={[
        { id: 'name', title: labels.name, cell: ({ name }) => name },
        { id: 'kind', title: labels.kind, cell: ({ backedUp }) => (backedUp ? labels.synced : labels.oneDevice) },
        { id: 'since', title: labels.since, cell: ({ createdAt }) => <Time at={createdAt} /> },
        {
          id: 'used',
          title: labels.used,
          cell: ({ lastUsedAt }) => (lastUsedAt === null ? labels.never : <Time at={lastUsedAt} form="relative" />),
        },
        {
          id: 'actions',
          title: labels.actions,
          cell: (passkey) => (
            <Row>
              <Button aria-label={labels.renameWhich(passkey.name)} onPress={() => onDo({ act: 'rename', passkey })}>
                {labels.rename}
              </Button>
              <Button aria-label={labels.removeWhich(passkey.name)} onPress={() => onDo({ act: 'remove', passkey })}>
                {labels.remove}
              </Button>
            </Row>
          ),
        },
      ]}
    />
  );
}

/** The name says where it was created, to distinguish it from others. */
function Add({ onAdded }: { onAdded(recoveryCodes: readonly string[] | null): void }) {
  const add = useMutation({
    mutationFn: async () => {
      const response = await makePasskey();
      return (await api.post('/me/passkeys', { name: browserName(navigator.userAgent) ?? labels.title, response }))
        .data;
    },
    onSuccess: ({ recoveryCodes }) => onAdded(recoveryCodes),
  });
  return (
    <>
      <PasskeyFault error={add.error} />
      <Row>
        <Button isPending={add.isPending} onPress={() => add.mutate()}>
          {labels.add}
        </Button>
      </Row>
      <p role="status">{add.isSuccess && labels.added}</p>
    </>
  );
}

function Do({ doing: { act, passkey }, onClose, onDone }: { doing: Doing; onClose(): void; onDone(): void }) {
  const [name, setName] = useState(passkey.name);
  const { passkeyId } = passkey;
  const send = useMutation({
    mutationFn: (): Promise<unknown> =>
      act === 'rename'
        ? api.post('/me/passkeys/:passkeyId', { name }, { passkeyId })
        : api.delete('/me/passkeys/:passkeyId', { passkeyId }),
    onSuccess: onDone,
  });
  return (
    <Form label={labels.title} onSubmit={() => send.mutate()}>
      <FormFault error={send.error} />
      {act === 'rename' ? (
        <TextField
          label={labels.name}
          value={name}
          onChange={setName}
          fault={faultOf(send.error, 'name')}
          autoComplete="off"
          isRequired
          autoFocus
        />
      ) : (
        <p>{labels.removeWhat}</p>
      )}
      <DialogActions>
        <Button onPress={onClose}>{labels.cancel}</Button>
        <Button look={act === 'rename' ? 'primary' : 'danger'} type="submit" isPending={send.isPending}>
          {act === 'rename' ? labels.save : labels.remove}
        </Button>
      </DialogActions>
    </Form>
  );
}
