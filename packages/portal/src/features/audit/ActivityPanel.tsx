/**
 * The audit entries of one record, for the Activity tab of its page. Fetched only when shown; says who may see it to
 * people who may not.
 */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Panel } from '../../ui/Page';
import { Empty, Notice, Shown } from '../../ui/States';
import { usePeople } from '../settings/people';
import { Entries } from './Entries';
import { Further } from './Further';
import { useAudit } from './log';

const auditLabels = labelsOf('audit');

const labels = auditLabels.activity;

export function ActivityPanel({
  kind,
  id,
  mentioned,
}: {
  /** The first word of actions on such records: `key`, `campaign`. Left out: every action on the id. */
  kind?: string;
  id: string;
  /** Also entries of other records that name this one. */
  mentioned?: boolean;
}) {
  const may = useMay('readAudit');
  const [before, setBefore] = useState('');
  const log = useAudit({ what: kind, ...(mentioned === true ? { about: id } : { target: id }), before }, may);
  const people = usePeople();
  const whole = <Link to="/audit">{labels.whole}</Link>;
  return (
    <Panel title={labels.title} actions={may && whole}>
      {may ? (
        <Shown of={log}>
          {({ entries, next, searchedTo }) => (
            <>
              {entries.length === 0 ? (
                <Empty title={searchedTo === null ? labels.none : auditLabels.noneYet}>{labels.noneHelp}</Empty>
              ) : (
                <Entries entries={entries} people={people.data ?? []} ofOne={mentioned !== true} />
              )}
              <Further of={{ next, searchedTo }} before={before} onTurn={setBefore} />
            </>
          )}
        </Shown>
      ) : (
        <Notice tone="info" title={labels.roleMissing} />
      )}
    </Panel>
  );
}
