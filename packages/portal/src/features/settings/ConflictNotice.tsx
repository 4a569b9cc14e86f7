/** Somebody else saved first: shows the current record above the form, and the person decides. */

import { labelsOf } from '../../language/labels';
import { SavedFirst } from '../../ui/Conflict';
import { Facts } from '../../ui/Page';

const settingsLabels = labelsOf('settings');

const labels = { ...settingsLabels.conflict, theirs: settingsLabels.again };

export function ConflictNotice({
  facts,
  onTheirs,
  onMine,
}: {
  facts: readonly (readonly [string, string])[];
  onTheirs(): void;
  onMine(): void;
}) {
  return (
    <SavedFirst labels={labels} onTheirs={onTheirs} onMine={onMine}>
      <p>{labels.now}</p>
      <Facts facts={facts} />
    </SavedFirst>
  );
}
