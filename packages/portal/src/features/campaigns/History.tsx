/** The history of a campaign, and the differences between its submitted versions. */
import { useState } from 'react';
import { labelsOf } from '../../language/labels';
import { Select } from '../../ui/Field';
import { Panel } from '../../ui/Page';
import { StatusBadge } from '../../ui/Status';
import { type Column, Table } from '../../ui/Table';
import { Time } from '../../ui/Values';
import { fieldName } from './CampaignHead';
import styles from './Campaigns.module.css';
import { type Campaign, type CampaignForm, differences, type HistoryEntry, isEditable } from './campaigns';
import { evidenceOfCampaign, SaveFile } from './Evidence';

const campaignLabels = labelsOf('campaign');
const evidenceLabels = labelsOf('evidence');

const labels = campaignLabels.history;

export function History({ of }: { of: Campaign }) {
  const newestFirst = of.history.toReversed();
  return (
    <Panel title={labels.title}>
      {newestFirst.length === 0 ? (
        <p className={styles.muted}>{labels.none}</p>
      ) : (
        <Table
          caption={labels.title}
          columns={columnsOf(of)}
          rows={newestFirst}
          keyOf={(entry) => `${entry.at} ${entry.what} ${entry.status}`}
        />
      )}
      {of.versions.length > 0 && <Compare of={of} />}
    </Panel>
  );
}

const columnsOf = (of: Campaign): readonly Column<HistoryEntry>[] => [
  { id: 'at', title: labels.columns.at, cell: ({ at }) => <Time at={at} /> },
  {
    id: 'what',
    title: labels.columns.what,
    cell: ({ what, status, version }) => (
      <span className={styles.line}>
        {labels.what[what]}
        {version > 0 && <span className={styles.muted}>v{version}</span>}
        {what === 'outcome' && <StatusBadge state={status} />}
      </span>
    ),
  },
  { id: 'who', title: labels.columns.who, cell: ({ who }) => who },
  {
    id: 'note',
    title: labels.columns.note,
    cell: ({ note, reasons, evidence = [] }) => (
      <div className={styles.sentence}>
        {note}
        {reasons.length > 0 && (
          <ul>
            {reasons.map(({ field, sentence }) => (
              <li key={`${field} ${sentence}`}>{field === '' ? sentence : `${fieldName(field)}: ${sentence}`}</li>
            ))}
          </ul>
        )}
        {evidence.length > 0 && <Proofs of={of} ids={evidence} />}
      </div>
    ),
  },
];

/** The files named in an outcome. */
function Proofs({ of, ids }: { of: Campaign; ids: readonly string[] }) {
  const owner = evidenceOfCampaign(of.campaignId);
  return (
    <span className={styles.line}>
      <span className={styles.muted}>{evidenceLabels.files(ids.length)}:</span>
      {ids.map((id) => {
        const file = of.evidence.find(({ evidenceId }) => evidenceId === id);
        return file === undefined ? (
          <span key={id}>{evidenceLabels.gone}</span>
        ) : (
          <SaveFile key={id} owner={owner} file={file} />
        );
      })}
    </span>
  );
}

function Compare({ of }: { of: Campaign }) {
  // The last two submitted; the only one is compared with the current draft.
  const [before = of.versions[0]!, after] = of.versions.length > 1 ? of.versions.slice(-2) : of.versions;
  const [left, setLeft] = useState(String(before.version));
  const [right, setRight] = useState(after === undefined || isEditable(of.status) ? 'now' : String(after.version));
  const choices = [
    ...of.versions.map(({ version }) => ({ value: String(version), label: labels.versionOf(version) })),
    { value: 'now', label: labels.current },
  ];
  const formOf = (choice: string): CampaignForm =>
    of.versions.find(({ version }) => String(version) === choice)?.form ?? of.form;
  const rows = differences(formOf(left), formOf(right));
  const shortOf = (choice: string): string => (choice === 'now' ? labels.now : `v${choice}`);
  const nameOf = (choice: string): string => choices.find(({ value }) => value === choice)?.label ?? labels.current;
  return (
    <details className={styles.kept}>
      <summary>{labels.compareTwo(shortOf(left), shortOf(right))}</summary>
      <div className={styles.fields}>
        <div className={styles.pair}>
          <Select label={labels.left} choices={choices} value={left} onChange={setLeft} />
          <Select label={labels.right} choices={choices} value={right} onChange={setRight} />
        </div>
        {rows.length === 0 ? (
          <p>{labels.same}</p>
        ) : (
          <Table
            caption={labels.compare}
            rows={rows}
            keyOf={({ field }) => field}
            columns={[
              { id: 'field', title: labels.field, cell: ({ field }) => fieldName(field) },
              { id: 'left', title: nameOf(left), cell: (row) => <span className={styles.text}>{row.left}</span> },
              { id: 'right', title: nameOf(right), cell: (row) => <span className={styles.text}>{row.right}</span> },
            ]}
          />
        )}
      </div>
    </details>
  );
}
