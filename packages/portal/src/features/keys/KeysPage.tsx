/** The key pairs of the company: permissions and last use of each; creating, rotating, revoking and testing them. */
import { Link, useRouter } from '@tanstack/react-router';
import type { KeyPair } from '../../api/routes/keys';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { saveText } from '../../ui/download';
import { Checkbox, TextField } from '../../ui/Field';
import { FilterLine, Page, Row } from '../../ui/Page';
import { FilterViews } from '../../ui/SavedViews';
import { Empty, Notice, Shown } from '../../ui/States';
import { StatusBadge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { ActionMenu } from '../../ui/Tabs';
import { useUrlText } from '../../ui/url';
import { Time } from '../../ui/Values';
import { KeyActions, type OpenDialog, possible, useKeyDialog } from './KeyActions';
import { Created, Limits, May, RotatedShort, Tokens, UsedOrRefused } from './KeyParts';
import styles from './Keys.module.css';
import { fittingKeys, keysCsv, useKeys } from './keys';
import { TestCredentials } from './TestCredentials';

const labels = labelsOf('key');

export function KeysPage() {
  const keys = useKeys();
  const mayManage = useMay('manageKeys');
  const [dialog, showDialog, close] = useKeyDialog();
  const create = mayManage && (
    <Button look="primary" icon="plus" onPress={() => showDialog({ what: 'create' })}>
      {labels.create}
    </Button>
  );
  return (
    <Page
      title={labels.title}
      crumbs={[{ label: labels.company, to: '/settings/company' }, { label: labels.title }]}
      actions={create}
    >
      <p>{labels.what}</p>
      {!mayManage && <Notice tone="info" title={labels.roleMissing} />}
      <Shown of={keys}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={labels.empty.title} action={create}>
              {labels.empty.detail}
            </Empty>
          ) : (
            <KeyList list={list} showDialog={mayManage ? showDialog : null} />
          )
        }
      </Shown>
      {mayManage && <TestCredentials />}
      <KeyActions dialog={dialog} onClose={close} />
    </Page>
  );
}

function KeyList({
  list,
  showDialog,
}: {
  list: readonly KeyPair[];
  showDialog: ((dialog: OpenDialog) => void) | null;
}) {
  const router = useRouter();
  const [all, setAll] = useUrlText('all');
  const [search, setSearch] = useUrlText('q');
  const known = all === '' ? list.filter(({ status }) => status === 'active') : list;
  const shown = fittingKeys(known, search);
  return (
    <>
      <FilterLine>
        <TextField label={labels.search} type="search" value={search} onChange={setSearch} />
        <Checkbox isSelected={all !== ''} onChange={(on) => setAll(on ? 'yes' : '')}>
          {labels.shownAll}
        </Checkbox>
      </FilterLine>
      <Row>
        <span role="status">{labels.count(shown.length, known.length)}</span>
        <Button look="quiet" onPress={() => saveText('api-keys.csv', keysCsv(shown), 'text/csv;charset=utf-8')}>
          {labels.exportCsv}
        </Button>
        <FilterViews list="key" fields={{ q: labels.search, all: labels.shownAll }} />
      </Row>
      {shown.length === 0 ? (
        <Empty
          title={labels.nothingFits.title}
          action={<Button onPress={() => setSearch('', { all: 'yes' })}>{labels.nothingFits.clear}</Button>}
        >
          {labels.nothingFits.detail}
        </Empty>
      ) : (
        <Table
          caption={labels.title}
          columns={columns(list, showDialog)}
          rows={shown}
          keyOf={({ keyId }) => keyId}
          onOpen={({ keyId }) => void router.navigate({ to: '/settings/company/api-keys/$keyId', params: { keyId } })}
        />
      )}
    </>
  );
}

function columns(list: readonly KeyPair[], showDialog: ((dialog: OpenDialog) => void) | null): Column<KeyPair>[] {
  const all: Column<KeyPair>[] = [
    { id: 'name', title: labels.columns.name, cell: (key) => <Name of={key} list={list} /> },
    { id: 'tokens', title: labels.columns.tokens, cell: (key) => <Tokens of={key} /> },
    { id: 'may', title: labels.columns.may, cell: (key) => <May of={key} /> },
    { id: 'limits', title: labels.columns.limits, cell: (key) => <Limits of={key} /> },
    { id: 'created', title: labels.columns.created, cell: (key) => <Created of={key} /> },
    { id: 'used', title: labels.columns.used, cell: (key) => <UsedOrRefused of={key} /> },
    {
      id: 'expires',
      title: labels.columns.expires,
      cell: ({ expiresAt }) => (expiresAt === null ? labels.never : <Time at={expiresAt} form="relative" />),
    },
  ];
  if (showDialog === null) return all.filter(({ id }) => id !== 'tokens');
  return [
    ...all,
    {
      id: 'actions',
      title: labels.columns.actions,
      cell: (key) =>
        key.status === 'revoked' ? null : (
          <ActionMenu
            label={labels.columns.actions}
            name={labels.actions(key.name)}
            icon="more"
            look="quiet"
            actions={possible(key).map((what) => ({
              id: what,
              label: labels[what],
              run: () => showDialog({ what, key }),
            }))}
          />
        ),
    },
  ];
}

function Name({ of, list }: { of: KeyPair; list: readonly KeyPair[] }) {
  return (
    <div className={styles.cell}>
      <Link to="/settings/company/api-keys/$keyId" params={{ keyId: of.keyId }} className={styles.name}>
        {of.name}
      </Link>
      <code className={styles.muted}>{of.keyId}</code>
      <span className={styles.badges}>
        <StatusBadge state={of.status} />
        <RotatedShort of={of} list={list} />
      </span>
    </div>
  );
}
