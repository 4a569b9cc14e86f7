/** The price book as rows that can be added, changed and removed. The form around it saves. */
import { useRef } from 'react';
import { labelsOf } from '../../language/labels';
import { Button, IconButton } from '../../ui/Button';
import { TextField } from '../../ui/Field';
import { useNarrow } from '../../ui/narrow';
import styles from './Accounts.module.css';
import { type PriceFaults, type PriceField, type PriceRow, priceFields, pricesMax, withNewRow } from './price-book';

const accountLabels = labelsOf('account');

const labels = accountLabels.prices;

export function PriceRows({
  rows,
  faults,
  onChange,
}: {
  rows: readonly PriceRow[];
  /** One entry for each row, or none before the first attempt to save. */
  faults: readonly PriceFaults[];
  onChange(rows: PriceRow[]): void;
}) {
  // There the fields are below each other, so one label above the first row would be useless.
  const isNarrow = useNarrow('(max-width: 600px)');
  const fieldset = useRef<HTMLFieldSetElement>(null);
  const today = new Date().toISOString().slice(0, 10);
  const set = (key: number, field: PriceField) => (value: string) =>
    onChange(rows.map((row) => (row.key === key ? { ...row, [field]: value } : row)));
  function remove(key: number): void {
    onChange(rows.filter((row) => row.key !== key));
    // The pressed button disappears, so the focus moves to the button that adds a row.
    fieldset.current?.querySelector<HTMLElement>('[data-adds] button')?.focus();
  }
  return (
    <fieldset ref={fieldset} className={styles.prices}>
      <legend>{labels.title}</legend>
      <p>{rows.length === 0 ? labels.none : labels.help}</p>
      {rows.length > 0 && (
        <div className={styles.rows}>
          {rows.map((row, index) => (
            <fieldset key={row.key} className={styles.price}>
              <legend className="visually-hidden">{labels.row(index + 1)}</legend>
              {priceFields.map((field) => (
                <TextField
                  key={field}
                  label={labels.fields[field]}
                  hideLabel={index > 0 && !isNarrow}
                  {...(field === 'from' ? { type: 'date' } : { autoComplete: 'off' })}
                  {...(field === 'smsPerSegment' || field === 'mmsPerMessage' ? { inputMode: 'decimal' as const } : {})}
                  value={row[field]}
                  onChange={set(row.key, field)}
                  fault={faultText(faults[index]?.[field])}
                />
              ))}
              <IconButton icon="cross" label={labels.remove(index + 1)} onPress={() => remove(row.key)} />
            </fieldset>
          ))}
        </div>
      )}
      <div data-adds>
        {rows.length < pricesMax ? (
          <Button icon="plus" onPress={() => onChange(withNewRow(rows, today))}>
            {labels.add}
          </Button>
        ) : (
          <p>{labels.full(pricesMax)}</p>
        )}
      </div>
    </fieldset>
  );
}

function faultText(fault: PriceFaults[PriceField]): string | undefined {
  return fault === undefined ? undefined : labels.faults[fault];
}
