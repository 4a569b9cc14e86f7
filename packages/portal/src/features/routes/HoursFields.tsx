/** The times at which a rule applies: days, and from when to when. */

import { labelsOf } from '../../language/labels';
import { Checkbox, Switch, TextField } from '../../ui/Field';
import { faultOf } from '../../ui/States';
import styles from './Routes.module.css';
import { type Hours, weekdays } from './routes';

const routeLabels = labelsOf('route');

const labels = routeLabels.form;
const first: Hours = { days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '08:00', to: '20:00' };

export function HoursFields({
  value,
  onChange,
  error,
}: {
  /** Null: always. */
  value: Hours | null;
  onChange(value: Hours | null): void;
  error: unknown;
}) {
  return (
    <>
      <Switch label={labels.hours} isSelected={value !== null} onChange={(isOn) => onChange(isOn ? first : null)} />
      {value !== null && (
        <fieldset className={styles.hours}>
          <legend>{labels.days}</legend>
          <div className={styles.days}>
            {weekdays.map((day) => (
              <Checkbox
                key={day}
                isSelected={value.days.includes(day)}
                onChange={(isOn) =>
                  onChange({
                    ...value,
                    days: weekdays.filter((one) => (one === day ? isOn : value.days.includes(one))),
                  })
                }
              >
                {routeLabels.dayNames[day]}
              </Checkbox>
            ))}
          </div>
          {faultOf(error, 'hours.days') !== undefined && (
            <p role="alert" className={styles.fault}>
              {faultOf(error, 'hours.days')}
            </p>
          )}
          <div className={styles.fields}>
            {(['from', 'to'] as const).map((end) => (
              <TextField
                key={end}
                label={labels[end]}
                help={end === 'to' ? labels.timeHelp : undefined}
                value={value[end]}
                onChange={(text) => onChange({ ...value, [end]: text.trim() })}
                fault={faultOf(error, `hours.${end}`)}
              />
            ))}
          </div>
          <p className={styles.muted}>{labels.hoursHelp}</p>
          <p className={styles.muted}>{labels.gap}</p>
        </fieldset>
      )}
    </>
  );
}
