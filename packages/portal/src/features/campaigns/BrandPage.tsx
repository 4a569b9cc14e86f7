/** One brand: the sender as registered with the carriers, the missing fields, and the registry's verdict. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { api } from '../../api/client';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Conflict, currentOf } from '../../ui/Conflict';
import { Select, TextField } from '../../ui/Field';
import { useOpened } from '../../ui/opened';
import { Facts, Form, Page, Panel } from '../../ui/Page';
import { Empty, FormFault, faultOf, Shown } from '../../ui/States';
import { Copyable } from '../../ui/Values';
import { RecordTabs } from '../audit/RecordTabs';
import { BrandEvidence, Website } from './BrandProofs';
import styles from './Campaigns.module.css';
import { goToField, OpenChecks } from './Checks';
import { type Brand, type BrandField, type BrandForm, brandFieldNames, useBrands, useShownBrand } from './campaigns';

const campaignLabels = labelsOf('campaign');
const labels = labelsOf('brand');

const crumbs = [
  { label: campaignLabels.title, to: '/campaigns' },
  { label: labels.title, to: '/campaigns?tab=brands' },
];

const emptyBrand: BrandForm = {
  entityType: 'PRIVATE_PROFIT',
  legalName: '',
  displayName: '',
  ein: '',
  einCountry: 'US',
  street: '',
  city: '',
  region: '',
  postalCode: '',
  country: 'US',
  phone: '',
  email: '',
  website: '',
  vertical: '',
  stockSymbol: '',
  stockExchange: '',
};

export function BrandPage() {
  const { brandId } = useParams({ strict: false }) as { brandId: string };
  const brands = useBrands();
  if (brandId === 'new') {
    return (
      <Page title={labels.add} crumbs={crumbs}>
        <BrandFields of={null} />
      </Page>
    );
  }
  const brand = brands.data?.find((one) => one.brandId === brandId);
  const name = brand === undefined ? labels.title : brand.displayName || brand.legalName;
  return (
    <Page title={name} crumbs={[...crumbs, { label: name }]}>
      <Shown of={brands}>
        {() =>
          brand === undefined ? (
            <Empty title={campaignLabels.noBrands.title}>{campaignLabels.noBrands.detail}</Empty>
          ) : (
            <RecordTabs of={{ kind: 'brand', id: brandId }}>
              <div className={styles.line}>
                <Copyable value={brandId} what={labels.id} />
              </div>
              <div className={styles.columns}>
                <Panel title={labels.checks}>
                  <OpenChecks checks={brand.checks} done={labels.complete} onGoTo={goToField} />
                </Panel>
                <Findings of={brand} />
              </div>
              <BrandFields key={brandId} of={brand} />
              <div className={styles.columns}>
                <Website of={brand} />
                <BrandEvidence of={brand} />
              </div>
            </RecordTabs>
          )
        }
      </Shown>
    </Page>
  );
}

function useSaveBrand(of: Brand | null) {
  const client = useQueryClient();
  const show = useShownBrand();
  return useMutation({
    mutationFn: async (change: object) =>
      (
        await (of === null
          ? api.post('/brands', change)
          : api.post('/brands/:brandId', change, { brandId: of.brandId }))
      ).data,
    onSuccess: (data) => {
      show(data);
      return client.invalidateQueries({
        predicate: ({ queryKey }) => ['brands', 'campaign'].includes(String(queryKey[0])),
      });
    },
  });
}

function BrandFields({ of }: { of: Brand | null }) {
  const mayManage = useMay('manageCampaigns');
  const navigate = useNavigate();
  const opened = useOpened(of, formOf);
  const { form, set } = opened;
  const save = useSaveBrand(of);
  const theirs = currentOf<Brand>(save.error);
  const submit = (sent: BrandForm, version: string | undefined) =>
    save.mutate(of === null ? sent : { ...sent, version }, {
      onSuccess: (brand) => {
        opened.take(brand);
        if (of === null) void navigate({ to: '/campaigns/brands/$brandId', params: { brandId: brand.brandId } });
      },
    });
  const field = (name: BrandField) => (
    <div data-field={name}>
      <TextField
        label={labels.fields[name]}
        help={labels.help[name]}
        value={form[name]}
        onChange={(value) => set({ [name]: value })}
        fault={faultOf(save.error, name)}
        isReadOnly={!mayManage}
      />
    </div>
  );
  const select = (
    name: 'entityType' | 'vertical',
    label: string,
    choices: readonly { value: string; label: string }[],
  ) =>
    mayManage ? (
      <div data-field={name}>
        <Select
          label={label}
          choices={choices}
          value={form[name]}
          onChange={(value) => set({ [name]: value })}
          fault={faultOf(save.error, name)}
        />
      </div>
    ) : (
      <Facts facts={[[label, choices.find(({ value }) => value === form[name])?.label]]} />
    );
  return (
    <Panel>
      <Form label={of === null ? labels.add : labels.save} onSubmit={() => submit(form, opened.version)} wide>
        {theirs === null ? (
          <FormFault error={save.error} />
        ) : (
          <Conflict
            rows={opened.differing(theirs).map(({ name, ...both }) => ({ field: fieldLabel(name), ...both }))}
            onTheirs={() => {
              opened.take(theirs);
              save.reset();
            }}
            onMine={() => submit(opened.over(theirs), theirs.version)}
          />
        )}
        <div className={styles.groups}>
          <fieldset className={styles.group}>
            <legend>{labels.who}</legend>
            {select('entityType', labels.entityType, choicesOf(labels.entityTypes))}
            {field('legalName')}
            {field('displayName')}
            <div className={styles.pair}>
              {field('ein')}
              {field('einCountry')}
            </div>
            {select('vertical', labels.vertical, [
              { value: '', label: labels.noVertical },
              ...choicesOf(labels.verticals),
            ])}
          </fieldset>
          <div className={styles.beside}>
            <fieldset className={styles.group}>
              <legend>{labels.address}</legend>
              {field('street')}
              <div className={styles.pair}>
                {field('city')}
                {field('region')}
              </div>
              <div className={styles.pair}>
                {field('postalCode')}
                {field('country')}
              </div>
            </fieldset>
            <fieldset className={styles.group}>
              <legend>{labels.contact}</legend>
              {field('phone')}
              {field('email')}
              {field('website')}
            </fieldset>
            {form.entityType === 'PUBLIC_PROFIT' && (
              <fieldset className={styles.group}>
                <legend>{labels.stock}</legend>
                <div className={styles.pair}>
                  {field('stockSymbol')}
                  {field('stockExchange')}
                </div>
              </fieldset>
            )}
          </div>
        </div>
        {mayManage && (
          <div className={styles.line}>
            <Button look="primary" type="submit" isPending={save.isPending}>
              {labels.save}
            </Button>
            <span role="status">{save.isSuccess ? labels.saved : ''}</span>
          </div>
        )}
      </Form>
    </Panel>
  );
}

function choicesOf(names: Readonly<Record<string, string>>): { value: string; label: string }[] {
  return Object.entries(names).map(([value, label]) => ({ value, label }));
}

function formOf(brand: Brand | null): BrandForm {
  if (brand === null) return emptyBrand;
  const texts = Object.fromEntries(brandFieldNames.map((name) => [name, brand[name]])) as Record<BrandField, string>;
  return { ...texts, entityType: brand.entityType, vertical: brand.vertical };
}

function fieldLabel(name: keyof BrandForm): string {
  if (name === 'entityType') return labels.entityType;
  return name === 'vertical' ? labels.vertical : labels.fields[name];
}

function Findings({ of }: { of: Brand }) {
  const operator = useMay('operator');
  const save = useSaveBrand(of);
  const opened = useOpened(of, findingsOf);
  const { tcrId, identityStatus, score } = opened.form;
  const theirs = currentOf<Brand>(save.error);
  const wrong = score.trim() === '' || /^(?:\d{1,2}|100)$/.test(score.trim()) ? undefined : labels.scoreFault;
  if (!operator) {
    return (
      <Panel title={labels.registry}>
        <Facts
          facts={[
            [labels.identity, labels.identities[of.identityStatus]],
            [labels.score, of.vettingScore ?? labels.noScore],
            [labels.tcrId, of.tcrId === '' ? labels.noScore : of.tcrId],
          ]}
        />
        <p className={styles.muted}>{labels.registryOperator}</p>
      </Panel>
    );
  }
  const submit = ({ tcrId, identityStatus, score }: ReturnType<typeof findingsOf>, version: string) => {
    if (wrong !== undefined) return;
    const vettingScore = score.trim() === '' ? null : Number(score);
    save.mutate({ tcrId: tcrId.trim(), identityStatus, vettingScore, version }, { onSuccess: opened.take });
  };
  return (
    <Panel title={labels.registry}>
      <Form label={labels.registry} onSubmit={() => submit(opened.form, opened.base.version)}>
        {theirs === null ? (
          <FormFault error={save.error} />
        ) : (
          <Conflict
            rows={opened.differing(theirs).map(({ name, theirs, mine }) => ({
              field: labels[name === 'identityStatus' ? 'identity' : name],
              theirs: identityWord(theirs),
              mine: identityWord(mine),
            }))}
            onTheirs={() => {
              opened.take(theirs);
              save.reset();
            }}
            onMine={() => submit(opened.over(theirs), theirs.version)}
          />
        )}
        <Select
          label={labels.identity}
          choices={choicesOf(labels.identities)}
          value={identityStatus}
          onChange={(value) => opened.set({ identityStatus: value as Brand['identityStatus'] })}
        />
        <TextField
          label={labels.score}
          inputMode="numeric"
          value={score}
          onChange={(score) => opened.set({ score })}
          fault={wrong ?? faultOf(save.error, 'vettingScore')}
        />
        <TextField
          label={labels.tcrId}
          value={tcrId}
          onChange={(tcrId) => opened.set({ tcrId })}
          fault={faultOf(save.error, 'tcrId')}
        />
        <div className={styles.line}>
          <Button type="submit" isPending={save.isPending}>
            {labels.saveFindings}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}

function findingsOf({ tcrId, identityStatus, vettingScore }: Brand) {
  return { tcrId, identityStatus, score: vettingScore === null ? '' : String(vettingScore) };
}

function identityWord(text: string): string {
  return labels.identities[text as Brand['identityStatus']] ?? text;
}
