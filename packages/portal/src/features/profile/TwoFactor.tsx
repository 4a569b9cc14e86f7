/** The second factor: set up with a QR code or by hand, recovery codes shown once, turned off. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { meQuery, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { TextField } from '../../ui/Field';
import { Form, Panel, Row } from '../../ui/Page';
import { FormFault, faultOf } from '../../ui/States';
import { Badge } from '../../ui/Status';
import { Copyable } from '../../ui/Values';
import styles from './Profile.module.css';
import { QrCode } from './QrCode';
import { RecoveryCodes } from './RecoveryCodes';

const profileLabels = labelsOf('profile');
const copied = labelsOf('copied');

const labels = profileLabels.factor;

interface Begun {
  secret: string;
  uri: string;
}

export function TwoFactor() {
  const { user } = useMe();
  const client = useQueryClient();
  const [dialog, showDialog] = useState<'remove' | 'renew' | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: meQuery.queryKey });
  const begin = useMutation({ mutationFn: async () => (await api.post('/me/totp/begin', {})).data });

  function turnedOn(recoveryCodes: string[]): void {
    begin.reset();
    setCodes(recoveryCodes);
    void refresh();
  }

  return (
    <Panel title={labels.title}>
      <Row>
        {user.authenticator ? (
          <Badge tone="ok" icon="check" word={labels.on} />
        ) : user.twoFactor ? (
          <Badge tone="ok" icon="check" word={labels.byPasskey} />
        ) : (
          <Badge tone="warn" icon="warning" word={user.password ? labels.off : labels.offNoPassword} />
        )}
      </Row>
      <FormFault error={begin.error} />
      {codes !== null && <RecoveryCodes key={codes[0]} codes={codes} onKept={() => setCodes(null)} />}
      {user.twoFactor && <p>{labels.left(user.recoveryCodesLeft)}</p>}
      {begin.data === undefined ? (
        <Row>
          {user.twoFactor && <Button onPress={() => showDialog('renew')}>{labels.renew}</Button>}
          {user.authenticator ? (
            <Button look="danger" onPress={() => showDialog('remove')}>
              {labels.remove}
            </Button>
          ) : (
            <Button
              look={user.twoFactor ? 'plain' : 'primary'}
              isPending={begin.isPending}
              onPress={() => begin.mutate()}
            >
              {user.twoFactor ? labels.beginToo : labels.begin}
            </Button>
          )}
        </Row>
      ) : (
        <SetUp begun={begin.data} onDone={turnedOn} onCancel={() => begin.reset()} />
      )}
      <Sure
        dialog={dialog}
        count={user.recoveryCodesLeft}
        onClose={() => showDialog(null)}
        onDone={(made) => {
          showDialog(null);
          setCodes(made);
          void refresh();
        }}
      />
    </Panel>
  );
}

function SetUp({ begun, onDone, onCancel }: { begun: Begun; onDone(codes: string[]): void; onCancel(): void }) {
  const [code, setCode] = useState('');
  const finish = useMutation({
    mutationFn: () => api.post('/me/totp/finish', { code: code.replace(/\s/g, '') }),
    onSuccess: ({ data }) => onDone(data.recoveryCodes),
  });
  return (
    <>
      <p>{labels.scan}</p>
      <QrCode text={begun.uri} label={labels.qr} />
      <div>
        <p className={styles.label}>{labels.secret}</p>
        <Copyable value={begun.secret} what={copied.secret} />
      </div>
      <Form label={labels.title} onSubmit={() => finish.mutate()}>
        <FormFault error={finish.error} />
        <TextField
          label={labels.code}
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          onChange={setCode}
          fault={faultOf(finish.error, 'code')}
          isRequired
          mono
        />
        <Row>
          <Button look="primary" type="submit" isPending={finish.isPending}>
            {labels.finish}
          </Button>
          <Button onPress={onCancel}>{labels.cancel}</Button>
        </Row>
      </Form>
    </>
  );
}

function Sure({
  dialog,
  count,
  onClose,
  onDone,
}: {
  dialog: 'remove' | 'renew' | null;
  count: number;
  onClose(): void;
  onDone(codes: string[] | null): void;
}) {
  const renews = dialog === 'renew';
  const [code, setCode] = useState('');
  const act = useMutation({
    mutationFn: async () => {
      if (renews) return (await api.post('/me/recovery-codes', {})).data.recoveryCodes;
      await api.post('/me/totp/remove', { code });
      return null;
    },
    onSuccess: (made) => {
      setCode('');
      onDone(made);
    },
  });
  return (
    <Dialog title={renews ? labels.renewTitle : labels.removeTitle} open={dialog !== null} onClose={onClose} urgent>
      <p>{renews ? labels.renewWhat(count) : labels.removeWhat}</p>
      <FormFault error={act.error} />
      {!renews && (
        <TextField
          label={labels.removeCode}
          help={labels.removeCodeHelp}
          value={code}
          onChange={setCode}
          fault={faultOf(act.error, 'code')}
          autoComplete="one-time-code"
          isRequired
        />
      )}
      <DialogActions>
        <Button onPress={onClose}>{labels.cancel}</Button>
        <Button look={renews ? 'primary' : 'danger'} isPending={act.isPending} onPress={() => act.mutate()}>
          {renews ? labels.renew : labels.remove}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
