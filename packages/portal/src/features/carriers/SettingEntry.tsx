/**
 * One setting of a carrier in its form: the plain name beside the standard's, or the gateway's own words where this
 * portal has no label.
 */

import type { CarrierShown, KindSetting } from '../../api/routes/carriers';
import { labelsOf } from '../../language/labels';
import { Checkbox, Select, TextArea, TextField } from '../../ui/Field';
import { faultOf } from '../../ui/States';
import { applies, type Entries } from './carrier-settings';

/** Names of the standard that differ from the field's. */
const standardNames: Readonly<Record<string, string>> = {
  window: 'window',
  longMessage: 'UDH, sar_*, message_payload',
  defaultAlphabet: 'data_coding 0',
  bindMode: 'bind_*',
  enquireLinkMs: 'enquire_link',
  vaspId: 'VASPID',
  vasId: 'VASID',
  serviceCode: 'ServiceCode',
  deliveryReport: 'DeliveryReport',
  readReports: 'MM4_read_reply_report.REQ',
  acknowledgement: 'MM4_forward.RES',
};

const choiceLabels = labelsOf('choice');
const settingLabels = labelsOf('setting');

const labels = labelsOf('carrier').form;

/** `Login name · system_id`; a setting without a label has its own name. */
export function labelOf({ name, unit }: Pick<KindSetting, 'name' | 'unit'>): string {
  const plain = settingLabels[name];
  if (plain === undefined) return unit === null ? name : `${name}, ${labels.units[unit]}`;
  const standard = standardNames[name] ?? (/_/.test(name) ? name : undefined);
  return standard === undefined ? plain : `${plain} · ${standard}`;
}

/** Nothing where the setting does not apply and has no fault. */
export function SettingEntry(props: {
  field: KindSetting;
  entries: Entries;
  set(name: string): (value: string | boolean) => void;
  error: unknown;
  carrier: CarrierShown | null;
}) {
  const { field, entries, set, error, carrier } = props;
  const { name, type, secret } = field;
  const fault = faultOf(error, name);
  if (fault === undefined && !applies(field, entries)) return null;
  const label = labelOf(field);
  const value = entries[name];
  if (type === 'flag') {
    return (
      <div>
        <Checkbox isSelected={value === true} onChange={set(name)}>
          {label}
        </Checkbox>
        {fault !== undefined && <p>{fault}</p>}
      </div>
    );
  }
  const isNew = carrier === null;
  const help = helpOf(field, carrier);
  const common = { label, value: String(value ?? ''), onChange: set(name), help, fault };
  if (type === 'choice') {
    const choices = (field.choices ?? []).map((one) => ({ value: one, label: choiceLabel(name, one) }));
    return <Select {...common} choices={choices} />;
  }
  const isRequired = isNew && field.required;
  if (type === 'list' || type === 'certificates' || type === 'privateKey') {
    return <TextArea {...common} isRequired={isRequired} rows={2} />;
  }
  return (
    <TextField
      {...common}
      isRequired={isRequired}
      placeholder={isNew && field.default !== null ? String(field.default) : undefined}
      type={secret ? 'password' : 'text'}
      inputMode={type === 'number' ? 'numeric' : undefined}
      autoComplete={secret ? 'new-password' : 'off'}
    />
  );
}

function choiceLabel(name: string, choice: string): string {
  const plain = choiceLabels[name]?.[choice];
  return plain === undefined ? choice : `${plain} · ${choice}`;
}

/** The kind's description of a setting without a label, and the description of its type. */
function helpOf(field: KindSetting, carrier: CarrierShown | null): string | undefined {
  const isOurs = settingLabels[field.name] !== undefined;
  const help = [isOurs ? null : field.description, typeHelp(field, carrier, isOurs)].filter((one) => one !== null);
  return help.length === 0 ? undefined : help.join(' ');
}

function typeHelp(
  { name, type, secret, min, max, choices, allowed }: KindSetting,
  carrier: CarrierShown | null,
  isOurs: boolean,
) {
  if (secret) return carrier?.secrets[name] === true ? labels.secretKept : labels.secretNew;
  if (min !== null && max !== null) return labels.bounds(min, max);
  if (type === 'list' && choices !== null) return labels.anyOf(choices.join(', '));
  return isOurs || allowed === null || type === 'choice' ? null : labels.allowed(allowed);
}
