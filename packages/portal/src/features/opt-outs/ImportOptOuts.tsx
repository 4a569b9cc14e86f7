/** A file of opt-outs: taken entry by entry, with a table of those that were refused and why. */

import { api } from '../../api/client';
import type { ImportedOptOuts } from '../../api/routes/opt-outs';
import { labelsOf } from '../../language/labels';
import { ImportDialog } from '../../ui/ImportDialog';
import { importBody } from './opt-outs';

const optOutWords = labelsOf('optOut');

const words = optOutWords.importer;
const example = 'contact,number,reason\n12025550100,12025550199,asked by e-mail on 4 May\n';

export function ImportOptOuts({ onClose }: { onClose(): void }) {
  return (
    <ImportDialog<ImportedOptOuts>
      words={words}
      what={words.what}
      example={example}
      accept=".csv,.json,text/csv,application/json"
      send={(file) => api.upload('/opt-outs/import', file)}
      stale="opt-outs"
      bodyOf={importBody}
      subject={{ title: optOutWords.columns.contact, of: ({ contact }) => contact }}
      onClose={onClose}
    />
  );
}
