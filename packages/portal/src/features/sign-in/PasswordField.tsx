/** A password that can be looked at, pasted, and says how good it is. */
import { useState } from 'react';
import { Button } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { signInWords as words } from '../../words/en/sign-in';
import styles from './PasswordField.module.css';

export function PasswordField({
  value,
  onChange,
  isNew,
  fault,
  label,
}: {
  value: string;
  onChange(value: string): void;
  /** It is being chosen: its strength is told. */
  isNew?: boolean;
  fault?: string;
  label?: string;
}) {
  const [shown, setShown] = useState(false);
  return (
    <div className={styles.password}>
      <TextField
        label={label ?? words.password}
        type={shown ? 'text' : 'password'}
        autoComplete={isNew === true ? 'new-password' : 'current-password'}
        value={value}
        onChange={onChange}
        fault={fault}
        help={isNew === true ? (fault === undefined ? strengthOf(value) : words.strength.rule) : undefined}
        isRequired
      />
      <Button look="quiet" onPress={() => setShown(!shown)}>
        {shown ? words.hide : words.show}
      </Button>
    </div>
  );
}

/** What a longer password is worth; the gateway decides what it takes, and what it refused is not praised. */
function strengthOf(password: string): string {
  const { length } = password;
  if (length === 0) return words.strength.rule;
  if (length < 12) return words.strength.short(12 - length);
  return length < 16 ? words.strength.fair : words.strength.good;
}
