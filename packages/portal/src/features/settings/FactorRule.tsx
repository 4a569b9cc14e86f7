/** Which roles must sign in with a second factor, and how long people have to set theirs up. */

import { useState } from 'react';
import { type Role, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Checkbox, TextField, Ticks } from '../../ui/Field';
import { Form, Panel } from '../../ui/Page';
import { roleName } from '../../ui/roles';
import { FormFault, faultOf, Notice, Shown } from '../../ui/States';
import { dayText } from '../../ui/Values';
import { wholeOrText } from '../../ui/whole';
import { ConflictNotice } from './ConflictNotice';
import { type Company, conflictOf, useCompany, useSaveSecondFactor } from './company';
import styles from './Settings.module.css';

const settingsLabels = labelsOf('settings');

const labels = settingsLabels.security.ask;
const roles: readonly Role[] = ['Owner', 'Admin', 'Developer', 'Support', 'Viewer'];
const namesOf = (chosen: readonly Role[]): string => chosen.map(roleName).join(', ');

const graceDaysDefault = 14;

export function FactorRule() {
  const company = useCompany();
  const { secondFactorFrom } = useMe();
  return (
    <Panel title={labels.title}>
      <p>{labels.what}</p>
      {secondFactorFrom !== null && (
        <Notice tone="info" title={settingsLabels.security.everybody(dayText(secondFactorFrom))} />
      )}
      <Shown of={company}>{(current) => <RuleForm current={current} />}</Shown>
    </Panel>
  );
}

function RuleForm({ current }: { current: Company }) {
  const [chosen, setChosen] = useState<readonly Role[]>(current.secondFactor?.roles ?? []);
  const [days, setDays] = useState(String(current.secondFactor?.graceDays ?? graceDaysDefault));
  const [version, setVersion] = useState(current.version);
  const save = useSaveSecondFactor();
  const conflict = conflictOf(save.error);

  function submit(as: string): void {
    save.mutate(
      { roles: [...chosen], graceDays: wholeOrText(days), version: as },
      { onSuccess: ({ data }) => setVersion(data.version) },
    );
  }

  function take(theirs: Company): void {
    setChosen(theirs.secondFactor?.roles ?? []);
    setDays(String(theirs.secondFactor?.graceDays ?? graceDaysDefault));
    setVersion(theirs.version);
    save.reset();
  }

  return (
    <Form label={labels.title} onSubmit={() => submit(version)}>
      {conflict !== null ? (
        <ConflictNotice
          facts={[
            [
              labels.title,
              labels.facts(namesOf(conflict.secondFactor?.roles ?? []), conflict.secondFactor?.graceDays ?? 0),
            ],
          ]}
          onTheirs={() => take(conflict)}
          onMine={() => submit(conflict.version)}
        />
      ) : (
        <FormFault error={save.error} />
      )}
      <Ticks label={labels.roles} fault={faultOf(save.error, 'roles')} className={styles.roles}>
        {roles.map((role) => (
          <Checkbox
            key={role}
            isSelected={chosen.includes(role)}
            onChange={(on) => setChosen(roles.filter((one) => (one === role ? on : chosen.includes(one))))}
          >
            {roleName(role)}
          </Checkbox>
        ))}
        {chosen.length === 0 && <span className={styles.muted}>{labels.nobody}</span>}
      </Ticks>
      <TextField
        label={labels.days}
        help={labels.daysHelp}
        inputMode="numeric"
        value={days}
        onChange={setDays}
        fault={faultOf(save.error, 'graceDays')}
      />
      <Button look="primary" type="submit" isPending={save.isPending}>
        {labels.save}
      </Button>
      <p role="status">{save.isSuccess && labels.saved}</p>
    </Form>
  );
}
