/** The fields of a campaign, page by page. Fields known from the brand are filled in. */
import { countSegments } from '@heliograph/text';
import { type ReactNode, useState } from 'react';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Checkbox, Select, TextArea, TextField } from '../../ui/Field';
import { faultOf } from '../../ui/States';
import styles from './Campaigns.module.css';
import { type Brand, type Campaign, type CampaignForm, flagNames, keywordsOf, useBrands } from './campaigns';
import type { Draft } from './draft';

const labels = labelsOf('campaign');

export interface WizardPageProps {
  of: Campaign;
  draft: Draft;
}

type TextName =
  | 'name'
  | 'description'
  | 'messageFlow'
  | 'optInText'
  | 'optOutText'
  | 'helpText'
  | 'privacyUrl'
  | 'termsUrl';

/** Marks a field, so that a link can focus it by its name. */
function At({ field, children }: { field: string; children: ReactNode }) {
  return <div data-field={field}>{children}</div>;
}

function Line({ draft, name, help }: { draft: Draft; name: TextName; help?: string }) {
  return (
    <At field={name}>
      <TextField
        label={labels.fields[name]!}
        help={help}
        value={draft.form[name]}
        onChange={(value) => draft.set({ [name]: value })}
        fault={faultOf(draft.error, name)}
      />
    </At>
  );
}

function Area({ draft, name, help, rows }: { draft: Draft; name: TextName; help: string; rows?: number }) {
  return (
    <At field={name}>
      <TextArea
        label={labels.fields[name]!}
        help={
          <>
            {help} <Counter text={draft.form[name]} />
          </>
        }
        rows={rows}
        value={draft.form[name]}
        onChange={(value) => draft.set({ [name]: value })}
        fault={faultOf(draft.error, name)}
      />
    </At>
  );
}

function Counter({ text }: { text: string }) {
  return <span>{labels.counter([...text].length, ...sizeOf(text))}</span>;
}

function sizeOf(text: string): [string, number] {
  const { encoding, segments } = countSegments(text);
  return [encoding, segments];
}

export function UseCasePage({ of, draft }: WizardPageProps) {
  const brands = useBrands();
  const { form, set, error } = draft;
  const brandChoices = [
    { value: '', label: labels.newDialog.laterBrand },
    ...(brands.data ?? []).map((one) => ({ value: one.brandId, label: one.displayName || one.legalName })),
  ];
  const useCaseChoices = ['', ...of.useCases.map(({ name }) => name)].map((value) => ({
    value,
    label: labels.useCases[value] ?? value,
  }));
  const chosen = of.useCases.find(({ name }) => name === form.useCase);
  return (
    <>
      <Line draft={draft} name="name" />
      <At field="brandId">
        <Select
          label={labels.fields.brandId!}
          choices={brandChoices}
          value={form.brandId ?? ''}
          onChange={(value) => set({ brandId: value === '' ? null : value })}
          fault={faultOf(error, 'brandId')}
        />
      </At>
      <At field="useCase">
        <Select
          label={labels.fields.useCase!}
          help={chosen === undefined ? undefined : labels.help.samplesMin(chosen.samplesMin)}
          choices={useCaseChoices}
          value={form.useCase}
          onChange={(useCase) => set({ useCase })}
          fault={faultOf(error, 'useCase')}
        />
      </At>
    </>
  );
}

export function DescriptionPage({ draft }: WizardPageProps) {
  return (
    <>
      <Area draft={draft} name="description" help={labels.help.description} rows={5} />
      <Area draft={draft} name="messageFlow" help={labels.help.messageFlow} rows={5} />
    </>
  );
}

export function TextsPage({ draft }: WizardPageProps) {
  const brands = useBrands();
  const brand = brands.data?.find((one) => one.brandId === draft.form.brandId);
  return (
    <>
      {(['optInText', 'optOutText', 'helpText'] as const).map((name) => (
        <div key={name} className={styles.sample}>
          <Area draft={draft} name={name} help={labels.help[name]} />
          {brand !== undefined && draft.form[name] === '' && (
            <span>
              <Button onPress={() => draft.set({ [name]: templateOf(name, brand) })}>
                {`${labels.help.template}: ${labels.fields[name]}`}
              </Button>
            </span>
          )}
        </div>
      ))}
      <Keywords draft={draft} name="optInKeywords" />
      <Keywords draft={draft} name="optOutKeywords" />
      <Keywords draft={draft} name="helpKeywords" />
    </>
  );
}

function templateOf(name: 'optInText' | 'optOutText' | 'helpText', brand: Brand): string {
  const brandName = brand.displayName || brand.legalName;
  return labels.templates[name](brandName, brand.email || brand.website || brand.phone);
}

function Keywords({ draft, name }: { draft: Draft; name: 'optInKeywords' | 'optOutKeywords' | 'helpKeywords' }) {
  const saved = draft.form[name].join(', ');
  const [typed, type] = useState(saved);
  // A comma just typed does not start a keyword yet.
  const shown = keywordsOf(typed).join(', ') === saved ? typed : saved;
  return (
    <At field={name}>
      <TextField
        label={labels.fields[name]!}
        help={labels.help.keywords}
        value={shown}
        onChange={(text) => {
          type(text);
          draft.set({ [name]: keywordsOf(text) });
        }}
        fault={faultOf(draft.error, name)}
      />
    </At>
  );
}

const samplesMax = 5;

export function SamplesPage({ draft }: WizardPageProps) {
  const { form, set, error } = draft;
  const samples = form.samples.length === 0 ? [''] : form.samples;
  const change = (at: number, text: string) =>
    set({ samples: samples.map((one, index) => (index === at ? text : one)) });
  const fault = faultOf(error, 'samples');
  return (
    <At field="samples">
      <div className={styles.fields}>
        <p className={styles.muted}>{labels.help.samples}</p>
        {samples.map((sample, at) => (
          // Samples have only their index, and no state.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          <div key={at} className={styles.sample} data-field={`samples.${at}`}>
            <TextArea
              label={labels.sample(at + 1)}
              help={<Counter text={sample} />}
              value={sample}
              onChange={(text) => change(at, text)}
              fault={at === 0 ? fault : undefined}
            />
            {samples.length > 1 && (
              <span>
                <Button
                  look="quiet"
                  icon="cross"
                  onPress={() => set({ samples: samples.filter((_, index) => index !== at) })}
                >
                  {labels.removeSample(at + 1)}
                </Button>
              </span>
            )}
          </div>
        ))}
        {samples.length < samplesMax && (
          <span>
            <Button icon="plus" onPress={() => set({ samples: [...samples, ''] })}>
              {labels.addSample}
            </Button>
          </span>
        )}
      </div>
    </At>
  );
}

export function LinksPage({ draft }: WizardPageProps) {
  const { flags } = draft.form;
  const set = (change: Partial<CampaignForm['flags']>) => draft.set({ flags: { ...flags, ...change } });
  return (
    <>
      <Line draft={draft} name="privacyUrl" help={labels.help.privacyUrl} />
      <Line draft={draft} name="termsUrl" />
      <At field="flags">
        <fieldset className={styles.group}>
          <legend>{labels.fields.flags}</legend>
          {flagNames.map((name) => (
            <div key={name} data-field={`flags.${name}`}>
              <Checkbox isSelected={flags[name]} onChange={(on) => set({ [name]: on })}>
                {labels.flags[name]}
              </Checkbox>
            </div>
          ))}
        </fieldset>
      </At>
    </>
  );
}
