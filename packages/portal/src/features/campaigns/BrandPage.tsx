/** One brand: who texts, as it is told to the carriers; what is missing; and what the registry found of it. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../api/client';
import { useMay } from '../../api/session';
import { Button } from '../../ui/Button';
import { Select, TextField } from '../../ui/Field';
import { Facts, Form, Page, Panel } from '../../ui/Page';
import { Empty, FormFault, faultOf, Notice, Shown } from '../../ui/States';
import { Copyable } from '../../ui/Values';
import { campaignWords, brandWords as words } from '../../words/en/campaigns';
import { RecordTabs } from '../audit/RecordTabs';
import { BrandEvidence, Website } from './BrandProofs';
import styles from './Campaigns.module.css';
import { goToField, OpenChecks } from './Checks';
import {
  type Brand,
  type BrandField,
  type BrandForm,
  brandFieldNames,
  conflictOf,
  useBrands,
  useShownBrand,
} from './campaigns';

const crumbs = [
  { label: campaignWords.title, to: '/campaigns' },
  { label: words.title, to: '/campaigns?tab=brands' },
];

const emptyBrand: BrandForm = {
  ...{ entityType: 'PRIVATE_PROFIT', legalName: '', displayName: '', ein: '', einCountry: 'US' },
  ...{ street: '', city: '', region: '', postalCode: '', country: 'US', phone: '', email: '', website: '' },
  ...{ vertical: '', stockSymbol: '', stockExchange: '' },
};

export function BrandPage() {
  const { brandId } = useParams({ strict: false }) as { brandId: string };
  const brands = useBrands();
  if (brandId === 'new') {
    return (
      <Page title={words.add} crumbs={crumbs}>
        <BrandFields of={null} />
      </Page>
    );
  }
  const brand = brands.data?.find((one) => one.brandId === brandId);
  const name = brand === undefined ? words.title : brand.displayName || brand.legalName;
  return (
    <Page title={name} crumbs={[...crumbs, { label: name }]}>
      <Shown of={brands}>
        {() =>
          brand === undefined ? (
            <Empty title={campaignWords.noBrands.title}>{campaignWords.noBrands.detail}</Empty>
          ) : (
            <RecordTabs of={{ kind: 'brand', id: brandId }}>
              <div className={styles.line}>
                <Copyable value={brandId} what={words.id} />
              </div>
              <div className={styles.columns}>
                <Panel title={words.checks}>
                  <OpenChecks checks={brand.checks} done={words.complete} onGoTo={goToField} />
                </Panel>
                <Findings key={brand.version} of={brand} />
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
  const path = of === null ? '/brands' : `/brands/${encodeURIComponent(of.brandId)}`;
  return useMutation({
    mutationFn: async (change: object) => (await api.post<Brand>(path, change)).data,
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
  const [form, setForm] = useState<BrandForm>(() => (of === null ? emptyBrand : formOf(of)));
  const [version, setVersion] = useState(of?.version);
  const save = useSaveBrand(of);
  const theirs = conflictOf<Brand>(save.error);
  const set = (change: Partial<BrandForm>) => setForm((now) => ({ ...now, ...change }));
  const submit = () =>
    save.mutate(of === null ? form : { ...form, version }, {
      onSuccess: (brand) => {
        setVersion(brand.version);
        if (of === null) void navigate({ to: '/campaigns/brands/$brandId', params: { brandId: brand.brandId } });
      },
    });
  const field = (name: BrandField) => (
    <div data-field={name}>
      <TextField
        label={words.fields[name]}
        help={words.help[name]}
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
      <Form label={of === null ? words.add : words.save} onSubmit={submit}>
        {theirs !== null ? (
          <Notice
            tone="warn"
            title={campaignWords.wizard.conflict.title}
            actions={
              <>
                <Button
                  onPress={() => {
                    setForm(formOf(theirs));
                    setVersion(theirs.version);
                    save.reset();
                  }}
                >
                  {campaignWords.wizard.conflict.theirs}
                </Button>
                <Button
                  onPress={() => {
                    setVersion(theirs.version);
                    save.mutate({ ...form, version: theirs.version });
                  }}
                >
                  {campaignWords.wizard.conflict.mine}
                </Button>
              </>
            }
          >
            <Facts facts={differing(form, theirs)} />
          </Notice>
        ) : (
          <FormFault error={save.error} />
        )}
        <fieldset className={styles.group}>
          <legend>{words.who}</legend>
          {select('entityType', words.entityType, choicesOf(words.entityTypes))}
          {field('legalName')}
          {field('displayName')}
          <div className={styles.pair}>
            {field('ein')}
            {field('einCountry')}
          </div>
          {select('vertical', words.vertical, [{ value: '', label: words.noVertical }, ...choicesOf(words.verticals)])}
        </fieldset>
        <fieldset className={styles.group}>
          <legend>{words.address}</legend>
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
          <legend>{words.contact}</legend>
          {field('phone')}
          {field('email')}
          {field('website')}
        </fieldset>
        {form.entityType === 'PUBLIC_PROFIT' && (
          <fieldset className={styles.group}>
            <legend>{words.stock}</legend>
            <div className={styles.pair}>
              {field('stockSymbol')}
              {field('stockExchange')}
            </div>
          </fieldset>
        )}
        {mayManage && (
          <div className={styles.line}>
            <Button look="primary" type="submit" isPending={save.isPending}>
              {words.save}
            </Button>
            <span role="status">{save.isSuccess ? words.saved : ''}</span>
          </div>
        )}
      </Form>
    </Panel>
  );
}

function choicesOf(names: Readonly<Record<string, string>>): { value: string; label: string }[] {
  return Object.entries(names).map(([value, label]) => ({ value, label }));
}

function formOf(brand: Brand): BrandForm {
  const texts = Object.fromEntries(brandFieldNames.map((name) => [name, brand[name]])) as Record<BrandField, string>;
  return { ...texts, entityType: brand.entityType, vertical: brand.vertical };
}

/** What the two have differently, theirs and ours. */
function differing(mine: BrandForm, theirs: Brand): [string, string][] {
  return brandFieldNames
    .filter((name) => mine[name] !== theirs[name])
    .map((name) => [words.fields[name], `${theirs[name] || '—'} / ${mine[name] || '—'}`]);
}

function Findings({ of }: { of: Brand }) {
  const operator = useMay('operator');
  const save = useSaveBrand(of);
  const [tcrId, setTcrId] = useState(of.tcrId);
  const [identityStatus, setIdentity] = useState(of.identityStatus);
  const [score, setScore] = useState(of.vettingScore === null ? '' : String(of.vettingScore));
  const wrong = score.trim() === '' || /^(?:\d{1,2}|100)$/.test(score.trim()) ? undefined : words.scoreFault;
  if (!operator) {
    return (
      <Panel title={words.registry}>
        <Facts
          facts={[
            [words.identity, words.identities[of.identityStatus]],
            [words.score, of.vettingScore ?? words.noScore],
            [words.tcrId, of.tcrId === '' ? words.noScore : of.tcrId],
          ]}
        />
        <p className={styles.muted}>{words.registryOperator}</p>
      </Panel>
    );
  }
  const vettingScore = score.trim() === '' ? null : Number(score);
  return (
    <Panel title={words.registry}>
      <Form
        label={words.registry}
        onSubmit={() => {
          if (wrong === undefined)
            save.mutate({ tcrId: tcrId.trim(), identityStatus, vettingScore, version: of.version });
        }}
      >
        <FormFault error={save.error} />
        <Select
          label={words.identity}
          choices={choicesOf(words.identities)}
          value={identityStatus}
          onChange={setIdentity}
        />
        <TextField
          label={words.score}
          inputMode="numeric"
          value={score}
          onChange={setScore}
          fault={wrong ?? faultOf(save.error, 'vettingScore')}
        />
        <TextField label={words.tcrId} value={tcrId} onChange={setTcrId} fault={faultOf(save.error, 'tcrId')} />
        <div className={styles.line}>
          <Button type="submit" isPending={save.isPending}>
            {words.saveFindings}
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
