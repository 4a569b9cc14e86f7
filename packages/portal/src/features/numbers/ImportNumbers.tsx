/** A table of numbers: taken entry by entry, with a list of those that were refused and why. */
import { api } from '../../api/client';
import type { ImportedNumbers } from '../../api/routes/numbers';
import { useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { ImportDialog } from '../../ui/ImportDialog';

const numberWords = labelsOf('number');

const words = numberWords.importer;
const example = 'number,name,sms,mms,campaign,messages_per_second\n12025550142,Shop in Austin,true,true,SBX-DEMO,0\n';

export function ImportNumbers({ onClose }: { onClose(): void }) {
  const { environment } = useMe();
  return (
    <ImportDialog<ImportedNumbers>
      words={words}
      what={`${words.what[environment]} ${words.columns}`}
      example={example}
      accept=".csv,text/csv"
      send={(file) => api.upload('/numbers/import', file)}
      stale="numbers"
      bodyOf={(_, body) => ({ type: 'text/csv', body })}
      subject={{ title: numberWords.columns.number, of: ({ number }) => number }}
      onClose={onClose}
    />
  );
}
