/** The routing rules in the order in which they are looked at, as a draft before they count; a tester; versions. For operators. */
import { useState } from 'react';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Page, Row } from '../../ui/Page';
import { Empty, FormFault, Shown } from '../../ui/States';
import { Badge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { ActionMenu, Tabs } from '../../ui/Tabs';
import { useUrlText } from '../../ui/url';
import { Phone } from '../../ui/Values';
import { routeWords as words } from '../../words/en/routes';
import { DraftBar } from './DraftBar';
import { formOf } from './draft';
import styles from './Routes.module.css';
import { RuleForm } from './RuleForm';
import { RuleTester } from './RuleTester';
import { type Rule, useRules } from './routes';
import { type DraftState, useDraft } from './use-draft';
import { Versions } from './Versions';

type Asked = { what: 'add' } | { what: 'edit' | 'remove'; rule: Rule };

export function RoutesPage() {
  const published = useRules();
  return (
    <Page title={words.title}>
      <p>{words.what}</p>
      <Shown of={published}>{(list) => <Rules current={list} />}</Shown>
    </Page>
  );
}

function Rules({ current }: { current: readonly Rule[] }) {
  const [tab, setTab] = useUrlText('tab');
  const draft = useDraft(current);
  return (
    <>
      <DraftBar of={draft} current={current} />
      <Tabs
        label={words.title}
        selected={tab === '' ? 'rules' : tab}
        onSelect={(id) => setTab(id === 'rules' ? '' : id)}
        tabs={[
          { id: 'rules', title: words.tabs.rules, content: <RuleList draft={draft} /> },
          { id: 'tester', title: words.tester.title, content: <RuleTester isDrafted={draft.draft !== null} /> },
          {
            id: 'versions',
            title: words.tabs.versions,
            content: <Versions current={current} draft={draft} onDrafted={() => setTab('')} />,
          },
        ]}
      />
    </>
  );
}

function RuleList({ draft }: { draft: DraftState }) {
  const [asked, setAsked] = useState<Asked | null>(null);
  const { rules, step } = draft;
  const ask = (next: Asked | null) => {
    // What was wrong with an earlier step is not wrong with the next.
    step.reset();
    setAsked(next);
  };
  const add = (
    <Button look="primary" icon="plus" onPress={() => ask({ what: 'add' })}>
      {words.add}
    </Button>
  );
  const close = () => ask(null);
  return (
    <>
      {rules.length === 0 ? (
        <Empty title={words.empty.title} action={add}>
          {words.empty.detail}
        </Empty>
      ) : (
        <>
          <Row>
            {add}
            <span>{words.count(rules.length)}</span>
          </Row>
          <Table
            caption={words.title}
            columns={columns(ask, (routeId, way) => step.mutate({ move: { routeId, way } }))}
            rows={rules}
            keyOf={({ routeId }) => routeId}
          />
        </>
      )}
      {draft.draft === null && <FormFault error={step.error} />}
      {asked?.what === 'add' && <RuleForm of={null} draft={draft} onClose={close} />}
      {asked?.what === 'edit' && <RuleForm of={asked.rule} draft={draft} onClose={close} />}
      {asked?.what === 'remove' && <RemoveDialog of={asked.rule} draft={draft} onClose={close} />}
    </>
  );
}

function columns(ask: (asked: Asked) => void, move: (routeId: string, way: 'up' | 'down') => void): Column<Rule>[] {
  return [
    {
      id: 'rule',
      title: words.columns.rule,
      cell: ({ routeId, environment }) => (
        <Row>
          <code>{routeId}</code>
          {environment === 'sandbox' && <Badge tone="warn" icon="handset" word={environment} />}
        </Row>
      ),
    },
    {
      id: 'to',
      title: words.columns.to,
      cell: ({ prefix }) => (prefix === '' ? words.anyNumber : words.prefix(prefix)),
    },
    {
      id: 'from',
      title: words.columns.from,
      cell: ({ number }) => (number === null ? words.anySender : <Phone digits={number} />),
    },
    { id: 'kind', title: words.columns.kind, cell: ({ kind }) => kind ?? words.anyKind },
    { id: 'carriers', title: words.columns.carriers, cell: ({ carrierIds }) => carrierIds.join(' → ') },
    { id: 'place', title: words.columns.place, cell: (rule) => <Place of={rule} move={move} /> },
    {
      id: 'actions',
      title: words.columns.actions,
      cell: (rule) => (
        <ActionMenu
          label={words.menu}
          name={words.actions(rule.routeId)}
          icon="more"
          look="quiet"
          actions={(['edit', 'remove'] as const).map((what) => ({
            id: what,
            label: words[what],
            run: () => ask({ what, rule }),
          }))}
        />
      ),
    },
  ];
}

function Place({ of, move }: { of: Rule; move(routeId: string, way: 'up' | 'down'): void }) {
  const { routeId, moves, priority, weight } = of;
  return (
    <div className={styles.cell}>
      <span>{words.place(priority, weight)}</span>
      <Row>
        {moves.up && (
          <Button look="quiet" aria-label={words.up(routeId)} onPress={() => move(routeId, 'up')}>
            ↑
          </Button>
        )}
        {moves.down && (
          <Button look="quiet" aria-label={words.down(routeId)} onPress={() => move(routeId, 'down')}>
            ↓
          </Button>
        )}
        {!moves.up && !moves.down && <span className={styles.muted}>{words.fixedPlace}</span>}
      </Row>
    </div>
  );
}

function RemoveDialog({ of, draft, onClose }: { of: Rule; draft: DraftState; onClose(): void }) {
  const { rules, step } = draft;
  const remove = () =>
    step.mutate({ forms: rules.filter(({ routeId }) => routeId !== of.routeId).map(formOf) }, { onSuccess: onClose });
  return (
    <Dialog title={words.removeDialog.title(of.routeId)} open onClose={onClose} urgent>
      <FormFault error={step.error} />
      <p>{words.removeDialog.consequence}</p>
      <DialogActions>
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button look="danger" onPress={remove} isPending={step.isPending}>
          {words.removeDialog.go}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
