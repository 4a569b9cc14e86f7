/** The routing rules in the order in which they are looked at, and a tester; for operators. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Page, Row } from '../../ui/Page';
import { Empty, FormFault, Shown } from '../../ui/States';
import { Badge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { ActionMenu } from '../../ui/Tabs';
import { Phone } from '../../ui/Values';
import { routeWords as words } from '../../words/en/routes';
import styles from './Routes.module.css';
import { RuleForm } from './RuleForm';
import { RuleTester } from './RuleTester';
import { type Rule, useRules } from './routes';

type Asked = { what: 'add' } | { what: 'edit' | 'remove'; rule: Rule };

export function RoutesPage() {
  const rules = useRules();
  const client = useQueryClient();
  const [asked, ask] = useState<Asked | null>(null);
  const move = useMutation({
    mutationFn: async ({ routeId, way }: { routeId: string; way: 'up' | 'down' }) =>
      (await api.post<Rule[]>(`/routes/${encodeURIComponent(routeId)}/move`, { way })).data,
    onSuccess: (list) => client.setQueryData(['routes'], list),
  });
  const add = (
    <Button look="primary" icon="plus" onPress={() => ask({ what: 'add' })}>
      {words.add}
    </Button>
  );
  const close = () => ask(null);
  return (
    <Page title={words.title} actions={add}>
      <p>{words.what}</p>
      <FormFault error={move.error} />
      <Shown of={rules}>
        {(list) =>
          list.length === 0 ? (
            <Empty title={words.empty.title} action={add}>
              {words.empty.detail}
            </Empty>
          ) : (
            <>
              <p>{words.count(list.length)}</p>
              <Table
                caption={words.title}
                columns={columns(ask, (routeId, way) => move.mutate({ routeId, way }))}
                rows={list}
                keyOf={({ routeId }) => routeId}
              />
            </>
          )
        }
      </Shown>
      <RuleTester />
      {asked?.what === 'add' && <RuleForm of={null} onClose={close} />}
      {asked?.what === 'edit' && <RuleForm of={asked.rule} onClose={close} />}
      {asked?.what === 'remove' && <RemoveDialog of={asked.rule} onClose={close} />}
    </Page>
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

function RemoveDialog({ of, onClose }: { of: Rule; onClose(): void }) {
  const client = useQueryClient();
  const send = useMutation({
    mutationFn: () => api.delete(`/routes/${encodeURIComponent(of.routeId)}`),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['routes'] });
      onClose();
    },
  });
  return (
    <Dialog title={words.removeDialog.title(of.routeId)} open onClose={onClose} urgent>
      <FormFault error={send.error} />
      <p>{words.removeDialog.consequence}</p>
      <DialogActions>
        <Button onPress={onClose}>{words.cancel}</Button>
        <Button look="danger" onPress={() => send.mutate()} isPending={send.isPending}>
          {words.removeDialog.go}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
