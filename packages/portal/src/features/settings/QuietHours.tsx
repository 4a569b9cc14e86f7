/** The company's quiet hours: when its messages wait, what is exempt, and the state now. */
import { useState } from 'react';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Checkbox, Switch, TextField, Ticks } from '../../ui/Field';
import { Form, Panel } from '../../ui/Page';
import { FormFault, faultOf, Notice } from '../../ui/States';
import { useCampaigns } from '../campaigns/campaigns';
import { ConflictNotice } from './ConflictNotice';
import { type Company, conflictOf, type QuietForm, useSaveQuietHours } from './company';
import { nowText, weekdays } from './quiet';
import styles from './Settings.module.css';

const labels = labelsOf('quiet');
const usual = { from: '21:00', to: '08:00', days: [...weekdays], exceptCampaigns: [] as string[] };

/** `now`: the stored company, not the form. */
export function QuietHours({ now, ...form }: { now: Company } & Parameters<typeof QuietHoursForm>[0]) {
  const { quietHours, timeZone } = now;
  const mayManage = useMay('manageCompany');
  return (
    <Panel title={labels.title}>
      <p>{labels.what}</p>
      {quietHours === null ? (
        <Notice tone="neutral" title={labels.none} />
      ) : (
        <Notice tone={quietHours.now ? 'warn' : 'info'} title={nowText(quietHours, Date.now())}>
          {timeZone === null && labels.noZone}
        </Notice>
      )}
      {mayManage ? <QuietHoursForm {...form} /> : quietHours !== null && <p>{factOf(now)}</p>}
    </Panel>
  );
}

function QuietHoursForm({
  current,
  version,
  onSaved,
  onTheirs,
}: {
  current: Company;
  version: string;
  onSaved(company: Company): void;
  onTheirs(company: Company): void;
}) {
  const campaigns = useCampaigns();
  const [form, setForm] = useState({ on: current.quietHours !== null, ...(current.quietHours ?? usual) });
  const set = (fields: Partial<typeof form>) => setForm({ ...form, ...fields });
  const save = useSaveQuietHours();
  const conflict = conflictOf(save.error);

  function submit(as: string): void {
    save.mutate({ ...bodyOf(form), version: as }, { onSuccess: ({ data }) => onSaved(data) });
  }

  return (
    <Form label={labels.title} onSubmit={() => submit(version)}>
      {conflict !== null ? (
        <ConflictNotice
          facts={[[labels.title, factOf(conflict)]]}
          onTheirs={() => onTheirs(conflict)}
          onMine={() => submit(conflict.version)}
        />
      ) : (
        <FormFault error={save.error} />
      )}
      <Switch label={labels.on} isSelected={form.on} onChange={(on) => set({ on })} />
      {form.on && (
        <>
          <div className={styles.times}>
            <TextField
              label={labels.from}
              type="time"
              value={form.from}
              onChange={(from) => set({ from })}
              fault={faultOf(save.error, 'quietHours')}
              isRequired
            />
            <TextField label={labels.to} type="time" value={form.to} onChange={(to) => set({ to })} isRequired />
          </div>
          <Ticks label={labels.days} fault={faultOf(save.error, 'days')} className={styles.roles}>
            <div className={styles.days}>
              {weekdays.map((day) => (
                <Checkbox
                  key={day}
                  isSelected={form.days.includes(day)}
                  onChange={(on) =>
                    set({ days: weekdays.filter((one) => (one === day ? on : form.days.includes(one))) })
                  }
                >
                  {labels.dayNames[day]}
                </Checkbox>
              ))}
            </div>
            <span className={styles.muted}>{labels.daysHelp}</span>
          </Ticks>
          <Except
            list={campaigns.data ?? []}
            chosen={form.exceptCampaigns}
            onChange={(exceptCampaigns) => set({ exceptCampaigns })}
          />
        </>
      )}
      <Button look="primary" type="submit" isPending={save.isPending}>
        {labels.save}
      </Button>
      <p role="status">{save.isSuccess && labels.saved}</p>
    </Form>
  );
}

/** Deleted campaigns among the exceptions can still be removed. */
function Except({
  list,
  chosen,
  onChange,
}: {
  list: readonly { campaignId: string; name: string }[];
  chosen: readonly string[];
  onChange(chosen: string[]): void;
}) {
  const names = new Map(list.map(({ campaignId, name }) => [campaignId, name]));
  const shown = [...new Set([...names.keys(), ...chosen])];
  return (
    <Ticks label={labels.except} className={styles.roles}>
      {shown.map((campaignId) => (
        <Checkbox
          key={campaignId}
          isSelected={chosen.includes(campaignId)}
          onChange={(on) => onChange(shown.filter((one) => (one === campaignId ? on : chosen.includes(one))))}
        >
          {names.get(campaignId) ?? campaignId}
        </Checkbox>
      ))}
      <span className={styles.muted}>{shown.length === 0 ? labels.noCampaigns : labels.exceptHelp}</span>
    </Ticks>
  );
}

/** A selection without days is sent unchanged, and refused with its own sentence. */
function bodyOf({ on, from, to, days, exceptCampaigns }: typeof usual & { on: boolean }): Omit<QuietForm, 'version'> {
  return on ? { on, from, to, days, exceptCampaigns } : { on };
}

function factOf({ quietHours }: Company): string {
  if (quietHours === null) return labels.none;
  const days = weekdays.filter((day) => quietHours.days.includes(day)).map((day) => labels.dayNames[day]);
  return labels.fact(
    quietHours.from,
    quietHours.to,
    days.length === weekdays.length ? labels.everyDay : days.join(', '),
  );
}
