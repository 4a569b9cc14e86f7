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

const words = labelsOf('devUi');
const states = Object.keys(labelsOf('state'));

const colours = [
  ...['canvas', 'surface', 'sunken', 'hover', 'chosen', 'text', 'muted', 'border', 'button-border', 'control-border'],
  ...['accent', 'on-accent', 'accent-hover', 'focus', 'ok', 'ok-bg', 'warn', 'warn-bg', 'bad', 'bad-bg'],
  ...['info', 'info-bg', 'neutral', 'neutral-bg'],
  ...[1, 2, 3, 4, 5, 6].map((place) => `series-${place}`),
];

export function DevUiPage() {
  return (
    <Page title={words.title} actions={<Button look="primary">{words.looks.primary}</Button>}>
      <p>{words.detail}</p>
      <Panel title={words.sections.colours}>
        <ul className={styles.swatches}>
          {colours.map((name) => (
            <li key={name}>
              <span style={{ background: `var(--${name})` }} />
              <code>{name}</code>
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title={words.sections.type}>
        <p className={styles.title}>{words.sizes.title}</p>
        <p>{words.sizes.base}</p>
        <p className={styles.small}>{words.sizes.small}</p>
        <p className={styles.medium}>{words.weights.medium}</p>
        <p className={styles.strong}>{words.weights.strong}</p>
      </Panel>
      <Buttons />
      <Panel title={words.sections.states}>
        <ul className={styles.states}>
          {states.map((state) => (
            <li key={state}>
              <StatusBadge state={state} />
            </li>
          ))}
        </ul>
      </Panel>
      <Panel title={words.sections.rows}>
        <Rows caption={words.compact} isOpen />
        <div data-density="comfortable">
          <Rows caption={words.comfortable} />
        </div>
      </Panel>
      <Panel title={words.sections.lines}>
        <Rows caption={words.sections.lines} isOpen inLines />
      </Panel>
      <Fields />
      <Panel title={words.sections.notices}>
        {(['info', 'ok', 'warn', 'bad', 'neutral'] as const).map((tone) => (
          <Notice key={tone} tone={tone} title={words.notice}>
            {words.noticeDetail}
          </Notice>
        ))}
        <Empty title={words.empty} action={<Button>{words.looks.plain}</Button>}>
          {words.noticeDetail}
        </Empty>
        <Progress label={words.progress} value={40} max={100} />
      </Panel>
      <Panel title={words.sections.values}>
        <Facts facts={facts} />
        <Code text={'npx helio explain OPTED_OUT'} what={words.fact} />
      </Panel>
      <Panel title={words.sections.tabs}>
        <Tabs
          label={words.sections.tabs}
          tabs={[
            { id: 'first', title: words.firstTab, content: <p>{words.shortText}</p> },
            { id: 'second', title: words.secondTab, content: <Loading rows={2} /> },
          ]}
        />
      </Panel>
    </Page>
  );
}

const facts: readonly (readonly [string, ReactNode])[] = [
  [words.columns.number, <Phone key="" digits="12025550100" />],
  [words.columns.count, <Count key="" value={1_234_567} />],
  [words.fact, <Time key="" at="2026-03-01T10:04:05.678Z" form="exact" />],
  [words.columns.state, <ReasonLink key="" code="OPTED_OUT" />],
  [words.columns.text, <Copyable key="" value="msg_01M8CAAV3J0000000000000000" what={words.fact} />],
];

function Buttons() {
  const looks = ['primary', 'plain', 'quiet', 'danger'] as const;
  const actions = [
    { id: 'chosen', label: words.chosenEntry, isChosen: true, run: () => {} },
    { id: 'entry', label: words.entry, run: () => {} },
  ];
  return (
    <Panel title={words.sections.buttons}>
      <Row>
        {looks.map((look) => (
          <Button key={look} look={look}>
            {words.looks[look]}
          </Button>
        ))}
        <Button icon="plus">{words.looks.plain}</Button>
        <ActionMenu label={words.menu} actions={actions} />
      </Row>
      <Row>
        {looks.map((look) => (
          <Button key={look} look={look} isDisabled>
            {words.disabled}
          </Button>
        ))}
        <Button isPending>{words.pending}</Button>
      </Row>
      <Row>
        <IconButton icon="columns" label={words.looks.quiet} />
        <IconButton icon="group" label={words.pressed} aria-pressed />
        <IconButton icon="cross" label={words.disabled} isDisabled />
        <ActionMenu tool="more" label={words.menu} name={`${words.menu} 2`} actions={actions} />
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
  { id: '12025550100', text: words.text, count: 1, state: 'delivered' },
  { id: '12025550101', text: words.shortText, count: 12, state: 'undelivered' },
  { id: '12025550102', text: words.text, count: 1_234, state: 'unconfirmed' },
];

function Rows({ caption, isOpen = false, inLines = false }: { caption: string; isOpen?: boolean; inLines?: boolean }) {
  const [open, setOpen] = useState(isOpen ? samples[1]!.id : '');
  const columns: readonly Column<Sample>[] = [
    { id: 'number', title: words.columns.number, cell: ({ id }) => <Phone digits={id} />, place: 'lead' },
    { id: 'text', title: words.columns.text, grow: true, cell: ({ text }) => text, place: 'sub' },
    {
      id: 'count',
      title: words.columns.count,
      figures: true,
      cell: ({ count }) => <Count value={count} />,
      place: 'lead-end',
    },
    { id: 'state', title: words.columns.state, cell: ({ state }) => <StatusBadge state={state} />, place: 'sub-end' },
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
    { value: 'a', label: words.entry },
    { value: 'b', label: words.chosenEntry },
  ];
  return (
    <Panel title={words.sections.fields}>
      <div className={styles.fields}>
        <TextField label={words.field} help={words.help} value={text} onChange={setText} />
        <TextField label={words.fault} fault={words.fault} value={text} onChange={setText} />
        <TextField label={words.disabled} value={text} isDisabled />
        <TextArea label={words.area} value={words.text} />
        <Select label={words.choice} choices={choices} value={choice} onChange={setChoice} />
        <div className={styles.stack}>
          <Checkbox isSelected={on} onChange={setOn}>
            {words.tick}
          </Checkbox>
          <Checkbox isSelected={!on} onChange={(off) => setOn(!off)}>
            {words.tick}
          </Checkbox>
          <Checkbox isDisabled isSelected>
            {words.disabled}
          </Checkbox>
          <Switch label={words.switch} isSelected={on} onChange={setOn} />
          <Switch label={words.switch} isSelected={!on} onChange={(off) => setOn(!off)} />
        </div>
      </div>
    </Panel>
  );
}
