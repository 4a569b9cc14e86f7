/** The key pairs of the company: what each may do, when it was used; making, rotating, revoking and testing them. */
import { useEffect, useState } from 'react';
import { useMay } from '../../api/session';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Field';
import { Page, Row } from '../../ui/Page';
import { Empty, Notice, Shown } from '../../ui/States';
import { Badge, StatusBadge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { ActionMenu } from '../../ui/Tabs';
import { useUrlText } from '../../ui/url';
import { momentText, Time } from '../../ui/Values';
import { keyWords as words } from '../../words/en/keys';
import { RevokeDialog, RotateKeyDialog } from './KeyDialogs';
import { KeyForm } from './KeyForm';
import styles from './Keys.module.css';
import { hintText, type KeyPair, type NewPair, usedSinceRotation, useKeys } from './keys';
import { NewTokens } from './NewTokens';
import { TestCredentials } from './TestCredentials';

type Asked = { what: 'create' } | { what: 'change' | 'rotate' | 'revoke'; key: KeyPair };

export function KeysPage() {
  const keys = useKeys();
  const mayManage = useMay('manageKeys');
  const [all, setAll] = useUrlText('all');
  const [asked, ask] = useState<Asked | null>(null);
  const [made, setMade] = useState<NewPair | null>(null);
  const close = () => ask(null);
  const create = mayManage && (
    <Button look="primary" icon="plus" onPress={() => ask({ what: 'create' })}>
      {words.create}
    </Button>
  );
  return (
    <Page
      title={words.title}
      crumbs={[{ label: words.company, to: '/settings/company' }, { label: words.title }]}
      actions={create}
    >
      <p>{words.what}</p>
      {!mayManage && <Notice tone="info" title={words.roleMissing} />}
      <Shown of={keys}>
        {(list) => {
          const shown = all === '' ? list.filter(({ status }) => status === 'active') : list;
          if (list.length === 0) {
            return (
              <Empty title={words.empty.title} action={create}>
                {words.empty.detail}
              </Empty>
            );
          }
          return (
            <>
              <Row>
                <span>{words.count(shown.length)}</span>
                <Checkbox isSelected={all !== ''} onChange={(on) => setAll(on ? 'yes' : '')}>
                  {words.shownAll}
                </Checkbox>
              </Row>
              <Table
                caption={words.title}
                columns={columns(list, mayManage ? ask : null)}
                rows={shown}
                keyOf={({ keyId }) => keyId}
              />
            </>
          );
        }}
      </Shown>
      {mayManage && <TestCredentials />}
      {asked?.what === 'create' && <KeyForm of={null} onClose={close} onMade={setMade} />}
      {asked?.what === 'change' && <KeyForm of={asked.key} onClose={close} onMade={setMade} />}
      {asked?.what === 'rotate' && <RotateKeyDialog of={asked.key} onClose={close} onMade={setMade} />}
      {asked?.what === 'revoke' && <RevokeDialog of={asked.key} onClose={close} />}
      {made !== null && <NewTokens pair={made} onClose={() => setMade(null)} />}
    </Page>
  );
}

function columns(list: readonly KeyPair[], ask: ((asked: Asked) => void) | null): Column<KeyPair>[] {
  const all: Column<KeyPair>[] = [
    { id: 'name', title: words.columns.name, cell: (key) => <Name of={key} list={list} /> },
    { id: 'tokens', title: words.columns.tokens, cell: (key) => <Tokens of={key} /> },
    { id: 'may', title: words.columns.may, cell: (key) => <May of={key} /> },
    { id: 'created', title: words.columns.created, cell: (key) => <Created of={key} /> },
    { id: 'used', title: words.columns.used, cell: (key) => <Used of={key} /> },
    {
      id: 'expires',
      title: words.columns.expires,
      cell: ({ expiresAt }) => (expiresAt === null ? words.never : <Time at={expiresAt} />),
    },
  ];
  if (ask === null) return all.filter(({ id }) => id !== 'tokens');
  return [
    ...all,
    {
      id: 'actions',
      title: words.columns.actions,
      cell: (key) =>
        key.status === 'revoked' ? null : (
          <ActionMenu
            label={words.columns.actions}
            name={words.actions(key.name)}
            icon="more"
            look="quiet"
            actions={(['change', 'rotate', 'revoke'] as const)
              .filter((what) => what !== 'rotate' || key.replacedBy === null)
              .map((what) => ({ id: what, label: words[what], run: () => ask({ what, key }) }))}
          />
        ),
    },
  ];
}

function Name({ of, list }: { of: KeyPair; list: readonly KeyPair[] }) {
  const { name, environment, status, replacedBy, expiresAt, keyId } = of;
  const rotated = status === 'active' && replacedBy !== null && expiresAt !== null;
  return (
    <div className={styles.cell}>
      <span className={styles.name}>{name}</span>
      <code className={styles.muted}>{keyId}</code>
      <span className={styles.badges}>
        <StatusBadge state={status} />
        {environment === 'sandbox' && <Badge tone="warn" icon="handset" word="Sandbox" />}
      </span>
      {rotated && (
        <span className={styles.muted}>
          {words.rotated.until(momentText(expiresAt))} <Left until={expiresAt} />{' '}
          {usedSinceRotation(of, list) && of.lastUse !== null ? (
            <>
              {words.rotated.used} <Time at={of.lastUse.at} form="relative" />.
            </>
          ) : (
            words.rotated.unused
          )}
        </span>
      )}
    </div>
  );
}

/** How long the old pair goes on working, counted down. */
function Left({ until }: { until: string }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 10_000);
    return () => clearInterval(timer);
  }, []);
  return words.rotated.left(Math.max(0, Math.floor((Date.parse(until) - now) / 60_000)));
}

function Tokens({ of }: { of: KeyPair }) {
  const tokens = [
    [words.bearer, hintText(of.bearerHint)],
    [words.auth, hintText(of.authHint)],
  ] as const;
  return (
    <div className={styles.cell}>
      {tokens.map(([name, hint]) => (
        <span key={name} className={styles.muted}>
          {name}
          <br />
          <code className={styles.hint}>{hint ?? words.noHint}</code>
        </span>
      ))}
    </div>
  );
}

function May({ of }: { of: KeyPair }) {
  const { scopes, numbers, dailyCap, allowedIps = [], exactShape } = of;
  return (
    <div className={styles.cell}>
      <span>{scopes.map((scope) => words.scopesShort[scope]).join(', ')}</span>
      <span className={styles.muted}>{numbers.length === 0 ? words.anyNumber : words.numbers(numbers.length)}</span>
      {dailyCap > 0 && <span className={styles.muted}>{words.cap(new Intl.NumberFormat().format(dailyCap))}</span>}
      {allowedIps.length > 0 && <span className={styles.muted}>{words.ips(allowedIps.length)}</span>}
      {exactShape && <span className={styles.muted}>{words.exact}</span>}
    </div>
  );
}

function Created({ of }: { of: KeyPair }) {
  return (
    <div className={styles.cell}>
      <Time at={of.createdAt} />
      {of.createdBy !== null && <span className={styles.muted}>{words.by(of.createdBy)}</span>}
    </div>
  );
}

function Used({ of: { lastUse } }: { of: KeyPair }) {
  if (lastUse === null) return <span className={styles.muted}>{words.neverUsed}</span>;
  return (
    <div className={styles.cell}>
      <Time at={lastUse.at} form="relative" />
      <code className={styles.muted}>{lastUse.endpoint}</code>
      {lastUse.address !== null && <span className={styles.muted}>{words.from(lastUse.address)}</span>}
    </div>
  );
}
