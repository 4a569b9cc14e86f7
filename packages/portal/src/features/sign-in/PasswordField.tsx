/** A password field that can reveal its text, allows pasting, and shows the strength. */
import { useState } from 'react';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import styles from './PasswordField.module.css';

const labels = labelsOf('signIn');

export function PasswordField({
  value,
  onChange,
  isNew,
  charactersMin = 12,
  fault,
  label,
}: {
  value: string;
  onChange(value: string): void;
  /** A new password: shows its strength. */
  isNew?: boolean;
  /** The company's minimum, if known. */
  charactersMin?: number;
  fault?: string;
  label?: string;
}) {
  const [shown, setShown] = useState(false);
  // Shows the refusal until the text changes, then the strength of the new text.
  const [refused, setRefused] = useState({ fault, value });
  if (fault !== refused.fault) setRefused({ fault, value });
  const now =
    fault === undefined || value === refused.value ? fault : isNew === true ? shortOf(value, charactersMin) : undefined;
  return (
    <div className={styles.password}>
      <TextField
        label={label ?? labels.password}
        type={shown ? 'text' : 'password'}
        autoComplete={isNew === true ? 'new-password' : 'current-password'}
        value={value}
        onChange={onChange}
        fault={now}
        help={
          isNew === true
            ? now === undefined
              ? strengthOf(value, charactersMin)
              : labels.strength.rule(charactersMin)
            : undefined
        }
        isRequired
      />
      <Button look="quiet" onPress={() => setShown(!shown)}>
        {shown ? labels.hide : labels.show}
      </Button>
    </div>
  );
}

/** The strength of a longer password; the gateway decides, and a refused one gets no praise. */
function strengthOf(password: string, charactersMin: number): string {
  const { length } = password;
  if (length === 0) return labels.strength.rule(charactersMin);
  const short = shortOf(password, charactersMin);
  if (short !== undefined) return short;
  return length < 16 ? labels.strength.fair : labels.strength.good;
}

function shortOf({ length }: string, charactersMin: number): string | undefined {
  return length < charactersMin ? labels.strength.short(charactersMin - length) : undefined;
}
