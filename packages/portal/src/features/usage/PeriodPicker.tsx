/** The shown days: a choice of common periods, or any two days. The URL contains them. */
import { useState } from 'react';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Select, TextField } from '../../ui/Field';
import { useUrlText } from '../../ui/url';
import { type Days, isPeriod, type Preset, presetDays } from './periods';
import styles from './Usage.module.css';

const usageLabels = labelsOf('usage');

const labels = usageLabels.period;
const presets: readonly Preset[] = ['thisMonth', 'lastMonth', 'last30', 'last12'];

export function PeriodPicker({ days, today }: { days: Days; today: string }) {
  const [, setFrom] = useUrlText('from');
  const [custom, setCustom] = useState(false);
  const preset = presets.find((one) => {
    const { from, to } = presetDays(one, today);
    return from === days.from && to === days.to;
  });
  const chosen = custom || preset === undefined ? 'custom' : preset;
  const go = ({ from, to }: Days): void => setFrom(from, { to });
  return (
    <>
      <div className={styles.period}>
        <Select
          label={labels.label}
          value={chosen}
          choices={[...presets, 'custom' as const].map((value) => ({ value, label: labels[value] }))}
          onChange={(value) => {
            setCustom(value === 'custom');
            if (value !== 'custom') go(presetDays(value as Preset, today));
          }}
        />
        {chosen === 'custom' && <OtherDays key={`${days.from} ${days.to}`} days={days} onChoose={go} />}
      </div>
      <p>{labels.utc}</p>
    </>
  );
}

function OtherDays({ days, onChoose }: { days: Days; onChoose(days: Days): void }) {
  const [from, setFrom] = useState(days.from);
  const [to, setTo] = useState(days.to);
  const [wrong, setWrong] = useState(false);
  return (
    <form
      className={styles.period}
      aria-label={labels.custom}
      onSubmit={(event) => {
        event.preventDefault();
        setWrong(!isPeriod({ from, to }));
        if (isPeriod({ from, to })) onChoose({ from, to });
      }}
    >
      <TextField label={labels.from} type="date" value={from} onChange={setFrom} />
      <TextField label={labels.to} type="date" value={to} onChange={setTo} {...(wrong && { fault: labels.wrong })} />
      <Button type="submit">{labels.show}</Button>
    </form>
  );
}
