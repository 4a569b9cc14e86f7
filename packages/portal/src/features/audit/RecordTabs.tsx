/** Two tabs of a record: its page and its history. The URL has the tab. */
import type { ReactNode } from 'react';
import { labelsOf } from '../../language/labels';
import { Tabs } from '../../ui/Tabs';
import { useUrlText } from '../../ui/url';
import { ActivityPanel } from './ActivityPanel';

const auditLabels = labelsOf('audit');

const labels = auditLabels.activity;
const activity = 'activity';

/** `of`: the record in the words of the audit log. `note`: a hint for reading its entries. */
export function RecordTabs({
  of,
  title = labels.overview,
  note,
  children,
}: {
  of: { kind?: string; id: string };
  title?: string;
  note?: string;
  children: ReactNode;
}) {
  const [tab, setTab] = useUrlText('tab');
  return (
    <Tabs
      label={labels.views}
      selected={tab === activity ? activity : 'record'}
      onSelect={(chosen) => setTab(chosen === activity ? activity : '')}
      tabs={[
        // Unsaved input in this tab must survive a visit to the other.
        { id: 'record', title, content: children, stays: true },
        {
          id: activity,
          title: labels.tab,
          content: (
            <>
              {note !== undefined && <p>{note}</p>}
              <ActivityPanel {...of} />
            </>
          ),
        },
      ]}
    />
  );
}
