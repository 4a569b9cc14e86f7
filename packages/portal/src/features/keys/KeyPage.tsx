/** One key pair: its permissions, its last use, its successor after a rotation, and what people did with it. */
import { Link, useParams } from '@tanstack/react-router';
import type { KeyPair } from '../../api/routes/keys';
import { useMay } from '../../api/session';
import { numberText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Button, LinkButton } from '../../ui/Button';
import { Facts, Page, Panel } from '../../ui/Page';
import { Empty, Notice, Shown } from '../../ui/States';
import { Tabs } from '../../ui/Tabs';
import { useUrlText } from '../../ui/url';
import { Copyable, Phone, Time } from '../../ui/Values';
import { ActivityPanel } from '../audit/ActivityPanel';
import { KeyActions, possible, useKeyDialog } from './KeyActions';
import { Created, KeyState, Refused, Rotated, Used } from './KeyParts';
import styles from './Keys.module.css';
import { hintText, useKeys } from './keys';

const auditLabels = labelsOf('audit');
const labels = labelsOf('key');

const listPath = '/settings/company/api-keys';

export function KeyPage() {
  const { keyId } = useParams({ from: '/inside/settings/company/api-keys/$keyId' });
  const keys = useKeys();
  const key = keys.data?.find((one) => one.keyId === keyId);
  const mayManage = useMay('manageKeys');
  const [dialog, showDialog, close] = useKeyDialog();
  const crumbs = [
    { label: labels.company, to: '/settings/company' },
    { label: labels.title, to: listPath },
    { label: key?.name ?? keyId },
  ];
  const actions =
    mayManage &&
    key !== undefined &&
    possible(key).map((what) => (
      <Button key={what} look={what === 'revoke' ? 'danger' : 'plain'} onPress={() => showDialog({ what, key })}>
        {labels[what]}
      </Button>
    ));
  return (
    <Page title={key?.name ?? labels.one.title} crumbs={crumbs} actions={actions}>
      {!mayManage && <Notice tone="info" title={labels.roleMissing} />}
      <Shown of={keys}>
        {(list) =>
          key === undefined ? (
            <Empty title={labels.one.none} action={<LinkButton to={listPath}>{labels.one.all}</LinkButton>}>
              {labels.one.noneDetail}
            </Empty>
          ) : (
            <Known of={key} list={list} />
          )
        }
      </Shown>
      <KeyActions dialog={dialog} onClose={close} />
    </Page>
  );
}

function Known({ of, list }: { of: KeyPair; list: readonly KeyPair[] }) {
  const [tab, setTab] = useUrlText('tab');
  return (
    <Tabs
      label={of.name}
      selected={tab === 'activity' ? tab : 'about'}
      onSelect={(id) => setTab(id === 'about' ? '' : id)}
      tabs={[
        { id: 'about', title: labels.one.about, content: <About of={of} list={list} /> },
        { id: 'activity', title: auditLabels.activity.tab, content: <ActivityPanel kind="key" id={of.keyId} /> },
      ]}
    />
  );
}

function About({ of, list }: { of: KeyPair; list: readonly KeyPair[] }) {
  const { one, form } = labels;
  const older = list.find(({ replacedBy }) => replacedBy === of.keyId);
  const newer = list.find(({ keyId }) => keyId === of.replacedBy);
  return (
    <Panel>
      <Rotated of={of} list={list} />
      <Facts
        facts={[
          [one.state, <KeyState key="state" of={of} />],
          [one.id, <Copyable key="id" value={of.keyId} what={one.id} />],
          ...tokenFacts(of),
          [form.scopes, of.scopes.map((scope) => labels.scopes[scope]).join(', ')],
          [form.numbers, <Numbers key="numbers" of={of} />],
          [form.cap, of.dailyCap === 0 ? one.noCap : labels.cap(numberText(of.dailyCap))],
          ...(of.allowedIps === undefined ? [] : [[form.ips, <Addresses key="ips" of={of.allowedIps} />] as const]),
          ...(of.exactShape ? ([[one.shape, labels.exact]] as const) : []),
          [labels.columns.created, <Created key="created" of={of} />],
          [labels.columns.used, <Used key="used" of={of} />],
          ...refusalFacts(of),
          [labels.columns.expires, of.expiresAt === null ? labels.never : <Time key="expires" at={of.expiresAt} />],
          ...(of.revokedAt === null ? [] : [[one.revoked, <Time key="revoked" at={of.revokedAt} />] as const]),
          ...(older === undefined ? [] : [[one.replaces, <KeyLink key="older" to={older} />] as const]),
          ...(newer === undefined ? [] : [[one.replacedBy, <KeyLink key="newer" to={newer} />] as const]),
        ]}
      />
    </Panel>
  );
}

/** Only people who manage keys see how to find a pair in a log. */
function tokenFacts({ bearerHint, authHint }: KeyPair) {
  if (bearerHint === undefined) return [];
  return [
    [labels.bearer, <code key="bearer">{hintText(bearerHint) ?? labels.noHint}</code>],
    [labels.auth, <code key="auth">{hintText(authHint) ?? labels.noHint}</code>],
  ] as const;
}

/** For callers at an address missing in the list; the log has the others. */
function refusalFacts({ keyId, lastRefusal }: KeyPair) {
  if (lastRefusal == null) return [];
  return [
    [
      labels.refused.title,
      <div key="refused" className={styles.cell}>
        <span>
          <Refused of={lastRefusal} />
        </span>
        <Link to="/requests" search={{ key: keyId, reason: 'NOT_AUTHORIZED' } as never}>
          {labels.refused.calls}
        </Link>
      </div>,
    ] as const,
  ];
}

function Numbers({ of: { numbers } }: { of: KeyPair }) {
  if (numbers.length === 0) return labels.anyNumber;
  return (
    <ul className={styles.plain}>
      {numbers.map((digits) => (
        <li key={digits}>
          <Phone digits={digits} />
        </li>
      ))}
    </ul>
  );
}

function Addresses({ of }: { of: readonly string[] }) {
  if (of.length === 0) return labels.one.anywhere;
  return (
    <ul className={styles.plain}>
      {of.map((address) => (
        <li key={address}>
          <code>{address}</code>
        </li>
      ))}
    </ul>
  );
}

function KeyLink({ to: { keyId, name } }: { to: KeyPair }) {
  return (
    <Link to="/settings/company/api-keys/$keyId" params={{ keyId }}>
      {name} <code>{keyId}</code>
    </Link>
  );
}
