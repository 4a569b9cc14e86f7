/** One campaign: its progress, its form with checks, the carriers' limits, its numbers and its history. */
import { Link, useParams } from '@tanstack/react-router';
import { useMay, useMe } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { LinkButton } from '../../ui/Button';
import { Facts, Page, Panel } from '../../ui/Page';
import { Shown } from '../../ui/States';
import { Copyable, Phone } from '../../ui/Values';
import { RecordTabs } from '../audit/RecordTabs';
import { CampaignHead, WhatHasToChange } from './CampaignHead';
import styles from './Campaigns.module.css';
import { Checks } from './Checks';
import { type Campaign, flagNames, isEditable, useCampaign } from './campaigns';
import { useDraft } from './draft';
import { EvidenceFiles, evidenceOfCampaign } from './Evidence';
import { History } from './History';
import { Limits } from './Limits';
import { OutcomeForm } from './OutcomeForm';
import { useWizardPage, Wizard } from './Wizard';

const evidenceLabels = labelsOf('evidence');
const labels = labelsOf('campaign');

export function CampaignPage() {
  const { campaignId } = useParams({ strict: false }) as { campaignId: string };
  const campaign = useCampaign(campaignId);
  const name = campaign.data?.name ?? campaignId;
  return (
    <Page title={name} crumbs={[{ label: labels.title, to: '/campaigns' }, { label: name }]}>
      <Shown of={campaign}>{(data) => <CampaignBody key={data.campaignId} of={data} />}</Shown>
    </Page>
  );
}

function CampaignBody({ of }: { of: Campaign }) {
  const { account } = useMe();
  const own = of.company === account.name;
  const mayManage = useMay('manageCampaigns') && own;
  const operator = useMay('operator');
  const draft = useDraft(of);
  const wizard = useWizardPage();
  const editing = mayManage && isEditable(of.status);
  return (
    <RecordTabs of={{ kind: 'campaign', id: of.campaignId }}>
      <div className={styles.line}>
        <Copyable value={of.campaignId} what={labels.title} />
        {!own && <span className={styles.muted}>{of.company}</span>}
      </div>
      <CampaignHead
        of={of}
        mayManage={mayManage}
        settled={draft.settled}
        seen={wizard.seen}
        onSeeChecks={() => wizard.open('checks')}
      />
      <WhatHasToChange of={of} onGoTo={wizard.goTo} />
      {editing ? (
        <Wizard of={of} draft={draft} wizard={wizard} />
      ) : (
        <>
          <WrittenDown of={of} own={own} />
          {isEditable(of.status) && (
            <Panel title={labels.checks.title}>
              <Checks checks={of.checks} onGoTo={wizard.goTo} />
            </Panel>
          )}
        </>
      )}
      <div className={styles.columns}>
        <Limits of={of} />
        <Numbers of={of} />
      </div>
      {of.evidence.length > 0 && (
        <Panel title={evidenceLabels.title}>
          <p>{evidenceLabels.ofCampaign}</p>
          <EvidenceFiles owner={evidenceOfCampaign(of.campaignId)} files={of.evidence} />
        </Panel>
      )}
      {operator && <OutcomeForm of={of} />}
      <History of={of} />
    </RecordTabs>
  );
}

/** The form, read-only. */
function WrittenDown({ of: { form, brandId, brandName, tcrId }, own }: { of: Campaign; own: boolean }) {
  const text = (value: string, otherwise = '—') =>
    value === '' ? <span className={styles.muted}>{otherwise}</span> : <span className={styles.text}>{value}</span>;
  const { fields } = labels;
  const flags = flagNames.filter((name) => form.flags[name]).map((name) => labels.flags[name]);
  const brand =
    brandId === null ? (
      labels.none
    ) : (
      <Link to="/campaigns/brands/$brandId" params={{ brandId }}>
        {brandName}
      </Link>
    );
  const texts = [
    [fields.description!, text(form.description)],
    [fields.messageFlow!, text(form.messageFlow)],
    ...form.samples.map((sample, at) => [labels.sample(at + 1), text(sample)] as const),
    [fields.optInText!, text(form.optInText, labels.template)],
    [fields.optOutText!, text(form.optOutText, labels.template)],
    [fields.helpText!, text(form.helpText, labels.template)],
  ] as const;
  return (
    <Panel title={labels.writtenDown}>
      <Facts
        facts={[
          [fields.useCase!, labels.useCases[form.useCase] ?? form.useCase],
          [fields.brandId!, own ? brand : (brandName ?? labels.none)],
          [labels.tcrId, text(tcrId)],
          [fields.flags!, text(flags.join(', '))],
          [fields.privacyUrl!, text(form.privacyUrl)],
          [fields.termsUrl!, text(form.termsUrl)],
        ]}
      />
      <dl className={styles.texts}>
        {texts.map(([name, value]) => (
          <div key={name}>
            <dt className={styles.muted}>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}

function Numbers({ of }: { of: Campaign }) {
  return (
    <Panel title={labels.numbers.title}>
      {of.numberList.length === 0 ? (
        <p className={styles.muted}>{labels.numbers.none}</p>
      ) : (
        <ul className={styles.list}>
          {of.numberList.map(({ number, name }) => (
            <li key={number} className={styles.line}>
              <Link to="/numbers/$number" params={{ number }}>
                <Phone digits={number} />
              </Link>
              <span className={styles.muted}>{name}</span>
            </li>
          ))}
        </ul>
      )}
      <p>
        <LinkButton to="/numbers">{labels.numbers.assign}</LinkButton>
      </p>
    </Panel>
  );
}
