/** A table of numbers: taken entry by entry, with a list of those that were refused and why. */
import { useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { ImportDialog, type Imported } from '../../ui/ImportDialog';

const numberWords = labelsOf('number');

const words = numberWords.importer;
const example = 'number,name,sms,mms,campaign,messages_per_second\n12025550142,Shop in Austin,true,true,SBX-DEMO,0\n';

interface ImportedNumbers extends Imported {
  added: number;
  changed: number;
  unchanged: number;
  problems: { entry: number; number: string; detail: string }[];
}

export function ImportNumbers({ onClose }: { onClose(): void }) {
  const { environment } = useMe();
  return (
    <ImportDialog<ImportedNumbers>
      words={words}
      what={`${words.what[environment]} ${words.columns}`}
      example={example}
      accept=".csv,text/csv"
      path="/numbers/import"
      stale="numbers"
      bodyOf={(_, body) => ({ type: 'text/csv', body })}
      subject={{ title: numberWords.columns.number, of: ({ number }) => number }}
      onClose={onClose}
    />
  );
}
