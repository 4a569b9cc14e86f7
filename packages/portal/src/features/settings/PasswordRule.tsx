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

const settingsWords = labelsOf('settings');

const words = settingsWords.security.passwords;

export function PasswordRule() {
  const company = useCompany();
  return (
    <Panel title={words.title}>
      <p>{words.what}</p>
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
    <Form label={words.title} onSubmit={() => submit(version)}>
      {conflict !== null ? (
        <ConflictNotice
          facts={[[words.characters, String(conflict.passwordCharactersMin)]]}
          onTheirs={() => take(conflict)}
          onMine={() => submit(conflict.version)}
        />
      ) : (
        <FormFault error={save.error} at={['passwordCharactersMin']} />
      )}
      <TextField
        label={words.characters}
        help={words.help}
        inputMode="numeric"
        value={characters}
        onChange={setCharacters}
        fault={faultOf(save.error, 'passwordCharactersMin')}
      />
      <Button look="primary" type="submit" isPending={save.isPending}>
        {words.save}
      </Button>
      <p role="status">{save.isSuccess && words.saved}</p>
    </Form>
  );
}
