/** Audit entries of carriers, and of the routing rules that send over them. */
import { Link } from '@tanstack/react-router';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Panel } from '../../ui/Page';
import { Empty, FormFault, Notice, Shown } from '../../ui/States';
import { ActivityPanel } from '../audit/ActivityPanel';
import { Entries } from '../audit/Entries';
import { type Entry, useAudit } from '../audit/log';
import { usePeople } from '../settings/people';

const auditLabels = labelsOf('audit');
const carrierLabels = labelsOf('carrier');

const labels = carrierLabels.changes;

/** For all carriers and all rules. */
export function Changes() {
  const may = useMay('readAudit');
  const carriers = useAudit({ what: 'carrier' }, may);
  const rules = useAudit({ what: 'routes' }, may);
  const people = usePeople();
  if (!may) return <Notice tone="info" title={labels.noAudit} />;
  return (
    <Shown of={carriers}>
      {(page) => {
        const entries = [...page.entries, ...(rules.data?.entries ?? [])].sort((a, b) => b.position - a.position);
        if (entries.length === 0) return <Empty title={labels.empty} />;
        return (
          <>
            <FormFault error={rules.error} />
            <Entries entries={entries} people={people.data ?? []} />
            <p>
              <Link to="/audit">{auditLabels.activity.whole}</Link>
            </p>
          </>
        );
      }}
    </Shown>
  );
}

/** For one carrier, and for rules that name it or did. */
export function ChangesOf({ carrierId }: { carrierId: string }) {
  const may = useMay('readAudit');
  const rules = useAudit({ what: 'routes' }, may);
  const people = usePeople();
  return (
    <>
      <ActivityPanel kind="carrier" id={carrierId} />
      {may && (
        <Panel title={labels.rules}>
          <Shown of={rules}>
            {({ entries }) => {
              const shown = entries.filter((entry) => names(entry, carrierId));
              if (shown.length === 0) return <p>{labels.noRules}</p>;
              return <Entries entries={shown} people={people.data ?? []} ofOne />;
            }}
          </Shown>
        </Panel>
      )}
    </>
  );
}

function names({ before, after }: Entry, carrierId: string): boolean {
  return [before, after].some((rules) =>
    Object.values(rules ?? {}).some((rule) => {
      const { carrierIds } = (rule ?? {}) as { carrierIds?: unknown };
      return Array.isArray(carrierIds) && carrierIds.includes(carrierId);
    }),
  );
}
