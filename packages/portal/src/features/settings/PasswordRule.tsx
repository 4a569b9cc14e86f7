/** The minimum length of the passwords of the company's people. */

import { useState } from 'react';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { Form, Panel } from '../../ui/Page';
import { FormFault, faultOf, Shown } from '../../ui/States';
import { wholeOrText } from '../../ui/whole';
import { ConflictNotice } from './ConflictNotice';
import { type Company, conflictOf, useCompany, useSaveCompany } from './company';

const settingsLabels = labelsOf('settings');

const labels = settingsLabels.security.passwords;

export function PasswordRule() {
  const company = useCompany();
  return (
    <Panel title={labels.title}>
      <p>{labels.what}</p>
      <Shown of={company}>{(current) => <RuleForm current={current} />}</Shown>
    </Panel>
  );
}

function RuleForm({ current }: { current: Company }) {
  const [characters, setCharacters] = useState(String(current.passwordCharactersMin));
  const [version, setVersion] = useState(current.version);
  const save = useSaveCompany();
  const conflict = conflictOf(save.error);

  function submit(as: string): void {
    const passwordCharactersMin = wholeOrText(characters);
    save.mutate({ passwordCharactersMin, version: as }, { onSuccess: ({ data }) => setVersion(data.version) });
  }

  function take(theirs: Company): void {
    setCharacters(String(theirs.passwordCharactersMin));
    setVersion(theirs.version);
    save.reset();
  }

  return (
    <Form label={labels.title} onSubmit={() => submit(version)}>
      {conflict !== null ? (
        <ConflictNotice
          facts={[[labels.characters, String(conflict.passwordCharactersMin)]]}
          onTheirs={() => take(conflict)}
          onMine={() => submit(conflict.version)}
        />
      ) : (
        <FormFault error={save.error} at={['passwordCharactersMin']} />
      )}
      <TextField
        label={labels.characters}
        help={labels.help}
        inputMode="numeric"
        value={characters}
        onChange={setCharacters}
        fault={faultOf(save.error, 'passwordCharactersMin')}
      />
      <Button look="primary" type="submit" isPending={save.isPending}>
        {labels.save}
      </Button>
      <p role="status">{save.isSuccess && labels.saved}</p>
    </Form>
  );
}
