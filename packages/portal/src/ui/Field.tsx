/** Form fields: label above, help below, the fault beside the field and tied to it. */
import { type ReactNode, useRef } from 'react';
import {
  Checkbox as AriaCheckbox,
  Select as AriaSelect,
  Switch as AriaSwitch,
  TextArea as AriaTextArea,
  TextField as AriaTextField,
  Button,
  type CheckboxProps,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  type SelectProps,
  SelectValue,
  type SwitchProps,
  Text,
  type TextFieldProps,
} from 'react-aria-components';
import { labelsOf } from '../language/labels';
import styles from './Field.module.css';
import { useFieldFault } from './faults';
import { useFilled } from './filled';
import { Icon } from './icons';

const labels = labelsOf('ui');

interface FieldLabels {
  label: string;
  help?: ReactNode;
  /** The fault; shown and announced. */
  fault?: string;
}

export function TextField({
  label,
  help,
  fault,
  mono,
  placeholder,
  hideLabel,
  ...props
}: FieldLabels & {
  mono?: boolean;
  placeholder?: string;
  /** A label for screen readers; the visible one is elsewhere, for example above a row of equal fields. */
  hideLabel?: boolean;
} & Omit<TextFieldProps, 'children' | 'className'>) {
  const field = useFieldFault<HTMLDivElement>(label, fault);
  return (
    <AriaTextField
      {...props}
      ref={field}
      isInvalid={fault !== undefined}
      validationBehavior="aria"
      className={styles.field}
    >
      <Label className={hideLabel === true ? 'visually-hidden' : styles.label}>{label}</Label>
      <Input className={`${styles.input} ${mono === true ? styles.mono : ''}`} placeholder={placeholder} />
      <Beneath help={help} fault={fault} />
    </AriaTextField>
  );
}

export function TextArea({
  label,
  help,
  fault,
  rows = 3,
  ...props
}: FieldLabels & { rows?: number } & Omit<TextFieldProps, 'children' | 'className'>) {
  const field = useFieldFault<HTMLDivElement>(label, fault);
  return (
    <AriaTextField
      {...props}
      ref={field}
      isInvalid={fault !== undefined}
      validationBehavior="aria"
      className={styles.field}
    >
      <Label className={styles.label}>{label}</Label>
      <AriaTextArea
        className={`${styles.input} ${styles.area}`}
        rows={rows}
        style={{ minHeight: `calc(${rows} * 1.5em + 10px)` }}
      />
      <Beneath help={help} fault={fault} />
    </AriaTextField>
  );
}

function Beneath({ help, fault }: { help?: ReactNode; fault?: string }) {
  return (
    <>
      {help !== undefined && (
        <Text slot="description" className={styles.help}>
          {help}
        </Text>
      )}
      <FieldError className={styles.fault}>{fault}</FieldError>
    </>
  );
}

export interface Choice {
  value: string;
  label: string;
  help?: string;
  /** Shown with its help as the reason, but not selectable. */
  disabled?: boolean;
}

export function Select({
  label,
  help,
  fault,
  choices,
  value,
  onChange,
  hideLabel,
  shown,
  ...props
}: FieldLabels & {
  choices: readonly Choice[];
  value: string;
  onChange(value: string): void;
  hideLabel?: boolean;
  /** Shown instead of the choice, which is shown elsewhere. */
  shown?: ReactNode;
} & Omit<SelectProps<Choice>, 'children' | 'className' | 'value' | 'onChange' | 'selectedKey' | 'onSelectionChange'>) {
  const field = useFieldFault<HTMLDivElement>(label, fault);
  const noteFilled = useFilled();
  return (
    <AriaSelect
      {...props}
      ref={field}
      value={value}
      onChange={(key) => {
        noteFilled(field.current);
        onChange(String(key));
      }}
      isInvalid={fault !== undefined}
      className={styles.field}
    >
      <Label className={hideLabel === true ? 'visually-hidden' : styles.label}>{label}</Label>
      <Button className={`${styles.input} ${styles.select} ${shown === undefined ? '' : styles.bare}`}>
        <SelectValue>{({ selectedText }) => shown ?? selectedText}</SelectValue>
        <Icon name="down" />
      </Button>
      <Beneath help={help} fault={fault} />
      <Popover className={styles.popover}>
        <ListBox className={styles.list} items={choices.map((choice) => ({ id: choice.value, ...choice }))}>
          {(choice) => (
            <ListBoxItem
              id={choice.value}
              textValue={choice.label}
              isDisabled={choice.disabled === true}
              className={styles.choice}
            >
              <span>{choice.label}</span>
              {choice.help !== undefined && <span className={styles.help}>{choice.help}</span>}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}

/** Reports to the dialog around a tick or switch that something was filled in. */
function useNoted(onChange?: (on: boolean) => void) {
  const ref = useRef<HTMLLabelElement>(null);
  const noteFilled = useFilled();
  return {
    ref,
    onChange: (on: boolean) => {
      noteFilled(ref.current);
      onChange?.(on);
    },
  };
}

export function Checkbox({
  children,
  onChange,
  ...props
}: { children: ReactNode } & Omit<CheckboxProps, 'children' | 'className'>) {
  const noted = useNoted(onChange);
  return (
    <AriaCheckbox {...props} {...noted} className={styles.check}>
      <span className={styles.box}>
        <Icon name="check" />
      </span>
      <span>{children}</span>
    </AriaCheckbox>
  );
}

/** Checkboxes of one group, with one name and one fault. */
export function Ticks({
  label,
  fault,
  className,
  children,
}: {
  label: string;
  fault?: string;
  className?: string;
  children: ReactNode;
}) {
  const field = useFieldFault<HTMLFieldSetElement>(label, fault);
  return (
    <fieldset ref={field} className={className}>
      <legend>{label}</legend>
      {children}
      {fault !== undefined && <span className={styles.fault}>{fault}</span>}
    </fieldset>
  );
}

/** On or off, effective at once; the word beside it shows the state. */
export function Switch({
  label,
  hideLabel,
  onChange,
  ...props
}: { label: string; hideLabel?: boolean } & Omit<SwitchProps, 'children' | 'className'>) {
  const noted = useNoted(onChange);
  return (
    <AriaSwitch {...props} {...noted} className={styles.switch} aria-label={hideLabel === true ? label : undefined}>
      <span className={styles.track} />
      {hideLabel !== true && <span>{label}</span>}
      <span aria-hidden="true">{props.isSelected === true ? labels.switch.on : labels.switch.off}</span>
    </AriaSwitch>
  );
}
