/**
 * Every building block in every state, on one page that is not in the navigation: `test/browser/pictures` compares it
 * with its pictures.
 */
import { type ReactNode, useState } from 'react';
import { labelsOf } from '../../language/labels';
import { Button, IconButton } from '../../ui/Button';
import { Checkbox, Select, Switch, TextArea, TextField } from '../../ui/Field';
import { Facts, Page, Panel, Row } from '../../ui/Page';
import { Progress } from '../../ui/Progress';
import { Empty, Loading, Notice } from '../../ui/States';
import { StatusBadge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { ActionMenu, Tabs } from '../../ui/Tabs';
import { Code, Copyable, Count, Phone, ReasonLink, Time } from '../../ui/Values';
import styles from './DevUi.module.css';

const labels = labelsOf('devUi');
const states = Object.keys(labelsOf('state'));

const colours = [
  ...['canvas', 'surface', 'sunken', 'hover', 'chosen', 'text', 'muted', 'border', 'button-border', 'control-border'],
  ...['accent', 'on-accent', 'accent-hover', 'focus', 'ok', 'ok-bg', 'warn', 'warn-bg', 'bad', 'bad-bg'],
  ...['info', 'info-bg', 'neutral', 'neutral-bg'],
  ...[1, 2, 3, 4, 5, 6].map((place) => `series-${place}`),
];

export function DevUiPage() {
  return (
    <Page title={labels.title} actions={<Button look="primary">{labels.looks.primary}</Button>}>
      <p>{labels.detail}</p>
      <Panel title={labels.sections.colours}>
        <ul className={styles.swatches}>
          {colours.map((name) => (
            <li key={name}>
              <span style={{ background: `var(--${name})` }} />
              <code>{name}</code>
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title={labels.sections.type}>
        <p className={styles.title}>{labels.sizes.title}</p>
        <p>{labels.sizes.base}</p>
        <p className={styles.small}>{labels.sizes.small}</p>
        <p className={styles.medium}>{labels.weights.medium}</p>
        <p className={styles.strong}>{labels.weights.strong}</p>
      </Panel>
      <Buttons />
      <Panel title={labels.sections.states}>
        <ul className={styles.states}>
          {states.map((state) => (
            <li key={state}>
              <StatusBadge state={state} />
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title={labels.sections.rows}>
        <Rows caption={labels.compact} isOpen />
        <div data-density="comfortable">
          <Rows caption={labels.comfortable} />
        </div>
      </Panel>
      <Panel title={labels.sections.lines}>
        <Rows caption={labels.sections.lines} isOpen inLines />
      </Panel>
      <Fields />
      <Panel title={labels.sections.notices}>
        {(['info', 'ok', 'warn', 'bad', 'neutral'] as const).map((tone) => (
          <Notice key={tone} tone={tone} title={labels.notice}>
            {labels.noticeDetail}
          </Notice>
        ))}
        <Empty title={labels.empty} action={<Button>{labels.looks.plain}</Button>}>
          {labels.noticeDetail}
        </Empty>
        <Progress label={labels.progress} value={40} max={100} />
      </Panel>
      <Panel title={labels.sections.values}>
        <Facts facts={facts} />
        <Code text={'npx helio explain OPTED_OUT'} what={labels.fact} />
      </Panel>
      <Panel title={labels.sections.tabs}>
        <Tabs
          label={labels.sections.tabs}
          tabs={[
            { id: 'first', title: labels.firstTab, content: <p>{labels.shortText}</p> },
            { id: 'second', title: labels.secondTab, content: <Loading rows={2} /> },
          ]}
        />
      </Panel>
    </Page>
  );
}

const facts: readonly (readonly [string, ReactNode])[] = [
  [labels.columns.number, <Phone key="" digits="12025550100" />],
  [labels.columns.count, <Count key="" value={1_234_567} />],
  [labels.fact, <Time key="" at="2026-03-01T10:04:05.678Z" form="exact" />],
  [labels.columns.state, <ReasonLink key="" code="OPTED_OUT" />],
  [labels.columns.text, <Copyable key="" value="msg_01M8CAAV3J0000000000000000" what={labels.fact} />],
];

function Buttons() {
  const looks = ['primary', 'plain', 'quiet', 'danger'] as const;
  const actions = [
    { id: 'chosen', label: labels.chosenEntry, isChosen: true, run: () => {} },
    { id: 'entry', label: labels.entry, run: () => {} },
  ];
  return (
    <Panel title={labels.sections.buttons}>
      <Row>
        {looks.map((look) => (
          <Button key={look} look={look}>
            {labels.looks[look]}
          </Button>
        ))}
        <Button icon="plus">{labels.looks.plain}</Button>
        <ActionMenu label={labels.menu} actions={actions} />
      </Row>
      <Row>
        {looks.map((look) => (
          <Button key={look} look={look} isDisabled>
            {labels.disabled}
          </Button>
        ))}
        <Button isPending>{labels.pending}</Button>
      </Row>
      <Row>
        <IconButton icon="columns" label={labels.looks.quiet} />
        <IconButton icon="group" label={labels.pressed} aria-pressed />
        <IconButton icon="cross" label={labels.disabled} isDisabled />
        <ActionMenu tool="more" label={labels.menu} name={`${labels.menu} 2`} actions={actions} />
      </Row>
    </Panel>
  );
}

interface Sample {
  id: string;
  text: string;
  count: number;
  state: string;
}

const samples: readonly Sample[] = [
  { id: '12025550100', text: labels.text, count: 1, state: 'delivered' },
  { id: '12025550101', text: labels.shortText, count: 12, state: 'undelivered' },
  { id: '12025550102', text: labels.text, count: 1_234, state: 'unconfirmed' },
];

function Rows({ caption, isOpen = false, inLines = false }: { caption: string; isOpen?: boolean; inLines?: boolean }) {
  const [open, setOpen] = useState(isOpen ? samples[1]!.id : '');
  const columns: readonly Column<Sample>[] = [
    { id: 'number', title: labels.columns.number, cell: ({ id }) => <Phone digits={id} />, place: 'lead' },
    { id: 'text', title: labels.columns.text, grow: true, cell: ({ text }) => text, place: 'sub' },
    {
      id: 'count',
      title: labels.columns.count,
      figures: true,
      cell: ({ count }) => <Count value={count} />,
      place: 'lead-end',
    },
    { id: 'state', title: labels.columns.state, cell: ({ state }) => <StatusBadge state={state} />, place: 'sub-end' },
  ];
  const shown = inLines ? columns : columns.map(({ place: _, ...column }) => column);
  return (
    <Table
      caption={caption}
      columns={shown}
      rows={samples}
      keyOf={({ id }) => id}
      current={open}
      onOpen={({ id }) => setOpen(id)}
    />
  );
}

function Fields() {
  const [text, setText] = useState('12025550100');
  const [choice, setChoice] = useState('a');
  const [on, setOn] = useState(true);
  const choices = [
    { value: 'a', label: labels.entry },
    { value: 'b', label: labels.chosenEntry },
  ];
  return (
    <Panel title={labels.sections.fields}>
      <div className={styles.fields}>
        <TextField label={labels.field} help={labels.help} value={text} onChange={setText} />
        <TextField label={labels.fault} fault={labels.fault} value={text} onChange={setText} />
        <TextField label={labels.disabled} value={text} isDisabled />
        <TextArea label={labels.area} value={labels.text} />
        <Select label={labels.choice} choices={choices} value={choice} onChange={setChoice} />
        <div className={styles.stack}>
          <Checkbox isSelected={on} onChange={setOn}>
            {labels.tick}
          </Checkbox>
          <Checkbox isSelected={!on} onChange={(off) => setOn(!off)}>
            {labels.tick}
          </Checkbox>
          <Checkbox isDisabled isSelected>
            {labels.disabled}
          </Checkbox>
          <Switch label={labels.switch} isSelected={on} onChange={setOn} />
          <Switch label={labels.switch} isSelected={!on} onChange={(off) => setOn(!off)} />
        </div>
      </div>
    </Panel>
  );
}
