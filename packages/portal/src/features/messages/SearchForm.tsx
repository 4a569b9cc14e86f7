/** The search as a form, for people who do not type queries: its fields become words of the search line. */
import { useState } from 'react';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Select, TextField } from '../../ui/Field';
import styles from './Messages.module.css';
import {
  type FormField,
  type FormValues,
  formFields,
  formValuesOf,
  searchValues,
  withFormValues,
} from './search-values';

const labels = labelsOf('searchForm');

const days: ReadonlySet<FormField> = new Set(['after', 'before']);

export function SearchForm({ q, onSearch, onClose }: { q: string; onSearch(q: string): void; onClose(): void }) {
  const [values, setValues] = useState<FormValues>(() => formValuesOf(q));
  return (
    <Dialog title={labels.title} open onClose={onClose}>
      <form
        className={styles.filterForm}
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(withFormValues(q, values));
          onClose();
        }}
      >
        <div className={styles.filters}>
          {formFields.map((field) => (
            <One
              key={field}
              field={field}
              value={values[field] ?? ''}
              onChange={(value) => setValues({ ...values, [field]: value })}
            />
          ))}
        </div>
        <DialogActions>
          <Button onPress={onClose}>{labels.cancel}</Button>
          <Button type="submit" look="primary">
            {labels.apply}
          </Button>
        </DialogActions>
      </form>
    </Dialog>
  );
}

function One({ field, value, onChange }: { field: FormField; value: string; onChange(value: string): void }) {
  const label = labels.fields[field];
  const choices = searchValues[field];
  const help = labels.notes[field];
  if (choices === undefined) {
    const isDay = days.has(field) && (value === '' || /^\d{4}-\d{2}-\d{2}$/.test(value));
    return (
      <TextField
        label={label}
        value={value}
        onChange={onChange}
        type={isDay ? 'date' : 'text'}
        {...(help === undefined ? {} : { help })}
      />
    );
  }
  const shown = choices.map((one) => ({
    value: one.value,
    label: one.technical === null ? one.shown : `${one.shown} (${one.technical})`,
  }));
  const isKnown = value === '' || choices.some((one) => one.value === value);
  return (
    <Select
      label={label}
      choices={[{ value: '', label: labels.any }, ...shown, ...(isKnown ? [] : [{ value, label: value }])]}
      value={value}
      onChange={onChange}
    />
  );
}
