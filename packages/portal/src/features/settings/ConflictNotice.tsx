/** Somebody else saved first: shows the current record above the form, and the person decides. */

import { labelsOf } from '../../language/labels';
import { SavedFirst } from '../../ui/Conflict';
import { Facts } from '../../ui/Page';

const settingsWords = labelsOf('settings');

const words = { ...settingsWords.conflict, theirs: settingsWords.again };

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
    <SavedFirst words={words} onTheirs={onTheirs} onMine={onMine}>
      <p>{words.now}</p>
      <Facts facts={facts} />
    </SavedFirst>
  );
}
