/** The routing rules in the order of evaluation, as a draft before they apply; a tester; versions. For operators. */
import { useState } from 'react';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { saveText } from '../../ui/download';
import { TextField } from '../../ui/Field';
import { Page, Row } from '../../ui/Page';
import { Empty, FormFault, Shown } from '../../ui/States';
import { Badge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { ActionMenu, Tabs } from '../../ui/Tabs';
import { useUrlText } from '../../ui/url';
import { Phone } from '../../ui/Values';
import { DraftBar } from './DraftBar';
import { formOf } from './draft';
import { fittingRules, rulesCsv } from './list';
import styles from './Routes.module.css';
import { RuleForm } from './RuleForm';
import { DragArea, RulePlace, useFocusAfter } from './RuleOrder';
import { RuleTester } from './RuleTester';
import { type Rule, useRules } from './routes';
import { type DraftState, type Move, useDraft } from './use-draft';
import { Versions } from './Versions';

const labels = labelsOf('route');

type OpenDialog = { what: 'add' } | { what: 'edit' | 'remove'; rule: Rule };

export function RoutesPage() {
  const published = useRules();
  const [tab, setTab] = useUrlText('tab');
  const draft = useDraft(published.data ?? []);
  const [dialog, setDialog] = useState<OpenDialog | null>(null);
  const showDialog = (next: OpenDialog | null) => {
    // Faults of an earlier step do not belong to the next.
    draft.step.reset();
    setDialog(next);
  };
  const list = { draft, dialog, showDialog };
  const hasAdd = published.data !== undefined && draft.rules.length > 0 && ['', 'rules'].includes(tab);
  return (
    <Page title={labels.title} actions={hasAdd && <AddRule showDialog={showDialog} />}>
      <p>{labels.what}</p>
      <Shown of={published}>{(current) => <Rules current={current} list={list} tab={tab} setTab={setTab} />}</Shown>
    </Page>
  );
}

function AddRule({ showDialog }: Pick<ListProps, 'showDialog'>) {
  return (
    <Button look="primary" icon="plus" onPress={() => showDialog({ what: 'add' })}>
      {labels.add}
    </Button>
  );
}

interface ListProps {
  draft: DraftState;
  dialog: OpenDialog | null;
  showDialog(next: OpenDialog | null): void;
}

interface RulesProps {
  current: readonly Rule[];
  list: ListProps;
  tab: string;
  setTab(tab: string): void;
}

function Rules({ current, list, tab, setTab }: RulesProps) {
  const { draft } = list;
  return (
    <>
      <DraftBar of={draft} current={current} faultElsewhere={list.dialog !== null} />
      <Tabs
        label={labels.title}
        selected={tab === '' ? 'rules' : tab}
        onSelect={(id) => setTab(id === 'rules' ? '' : id)}
        tabs={[
          { id: 'rules', title: labels.tabs.rules, content: <RuleList {...list} /> },
          { id: 'tester', title: labels.tester.title, content: <RuleTester isDrafted={draft.draft !== null} /> },
          {
            id: 'versions',
            title: labels.tabs.versions,
            content: <Versions current={current} draft={draft} onDrafted={() => setTab('')} />,
          },
        ]}
      />
    </>
  );
}

function RuleList({ draft, dialog, showDialog }: ListProps) {
  const [moved, setMoved] = useState<{ routeId: string; text: string } | null>(null);
  useFocusAfter(moved);
  const [search, setSearch] = useUrlText('q');
  const { rules, step } = draft;
  const shown = fittingRules(rules, search);
  const move = (wanted: Move) =>
    step.mutate(
      { move: wanted },
      {
        onSuccess: (next) => {
          const { routeId } = wanted;
          const place = next.findIndex((rule) => rule.routeId === routeId) + 1;
          setMoved({ routeId, text: labels.movedTo(routeId, place, next.length) });
        },
      },
    );
  const close = () => showDialog(null);
  return (
    <>
      {rules.length === 0 ? (
        <Empty title={labels.empty.title} action={<AddRule showDialog={showDialog} />}>
          {labels.empty.detail}
        </Empty>
      ) : (
        <>
          <div className={styles.search}>
            <TextField label={labels.search} type="search" value={search} onChange={setSearch} />
          </div>
          <Row>
            <span role="status">{labels.count(shown.length, rules.length)}</span>
            <Button
              look="quiet"
              onPress={() => saveText('routes.csv', rulesCsv(shown, rules), 'text/csv;charset=utf-8')}
            >
              {labels.exportCsv}
            </Button>
          </Row>
          {shown.length === 0 ? (
            <Empty
              title={labels.nothingFits.title}
              action={<Button onPress={() => setSearch('')}>{labels.nothingFits.clear}</Button>}
            >
              {labels.nothingFits.detail}
            </Empty>
          ) : (
            <DragArea rules={shown} move={move}>
              <Table
                caption={labels.title}
                columns={columns(showDialog, move)}
                rows={shown}
                keyOf={({ routeId }) => routeId}
              />
            </DragArea>
          )}
          {shown.some(({ moves }) => moves.up || moves.down) && <p className={styles.muted}>{labels.dragHelp}</p>}
        </>
      )}
      <p role="status" className="visually-hidden">
        {moved?.text}
      </p>
      {draft.draft === null && dialog === null && <FormFault error={step.error} />}
      {dialog?.what === 'add' && <RuleForm of={null} draft={draft} onClose={close} />}
      {dialog?.what === 'edit' && <RuleForm of={dialog.rule} draft={draft} onClose={close} />}
      {dialog?.what === 'remove' && <RemoveDialog of={dialog.rule} draft={draft} onClose={close} />}
    </>
  );
}

function columns(showDialog: (dialog: OpenDialog) => void, move: (move: Move) => void): Column<Rule>[] {
  return [
    {
      id: 'rule',
      title: labels.columns.rule,
      cell: ({ routeId, environment }) => (
        <Row>
          <code>{routeId}</code>
          {environment === 'sandbox' && <Badge tone="warn" icon="handset" word={environment} />}
        </Row>
      ),
    },
    {
      id: 'to',
      title: labels.columns.to,
      cell: ({ prefix }) => (prefix === '' ? labels.anyNumber : labels.prefix(prefix)),
    },
    {
      id: 'from',
      title: labels.columns.from,
      cell: ({ number }) => (number === null ? labels.anySender : <Phone digits={number} />),
    },
    { id: 'only', title: labels.columns.only, cell: (rule) => <Only of={rule} /> },
    { id: 'carriers', title: labels.columns.carriers, cell: ({ carrierIds }) => carrierIds.join(' → ') },
    { id: 'place', title: labels.columns.place, cell: (rule) => <RulePlace of={rule} move={move} /> },
    {
      id: 'actions',
      title: labels.columns.actions,
      cell: (rule) => (
        <ActionMenu
          label={labels.menu}
          name={labels.actions(rule.routeId)}
          icon="more"
          look="quiet"
          actions={(['edit', 'remove'] as const).map((what) => ({
            id: what,
            label: labels[what],
            run: () => showDialog({ what, rule }),
          }))}
        />
      ),
    },
  ];
}

/** Kind, campaign and times: the further conditions of a rule. */
function Only({ of: { kind, campaignId, hours } }: { of: Rule }) {
  return (
    <div className={styles.cell}>
      <span>{kind ?? labels.anyKind}</span>
      {campaignId !== undefined && <span>{labels.campaign(campaignId)}</span>}
      {hours !== undefined && <span>{labels.hours(hours)}</span>}
    </div>
  );
}

function RemoveDialog({ of, draft, onClose }: { of: Rule; draft: DraftState; onClose(): void }) {
  const { rules, step } = draft;
  const remove = () =>
    step.mutate({ forms: rules.filter(({ routeId }) => routeId !== of.routeId).map(formOf) }, { onSuccess: onClose });
  return (
    <Dialog title={labels.removeDialog.title(of.routeId)} open onClose={onClose} urgent>
      <FormFault error={step.error} />
      <p>{labels.removeDialog.consequence}</p>
      <DialogActions>
        <Button onPress={onClose}>{labels.cancel}</Button>
        <Button look="danger" onPress={remove} isPending={step.isPending}>
          {labels.removeDialog.go}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
