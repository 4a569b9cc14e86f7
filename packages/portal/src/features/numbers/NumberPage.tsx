/** One sending number: its abilities, its settings, where its replies go, and its recent messages. */
import { Link, useParams } from '@tanstack/react-router';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button, LinkButton } from '../../ui/Button';
import { Conflict, currentOf } from '../../ui/Conflict';
import { Select, TextField } from '../../ui/Field';
import { useOpened } from '../../ui/opened';
import { Facts, Form, Page, Panel } from '../../ui/Page';
import { FormFault, faultOf, Shown } from '../../ui/States';
import { Copyable, Count, Phone, phoneText } from '../../ui/Values';
import { RecordTabs } from '../audit/RecordTabs';
import { useCampaigns } from '../campaigns/campaigns';
import { CanSend } from './CanSend';
import styles from './Numbers.module.css';
import { Last24h } from './NumbersPage';
import { NumberTraffic, NumberWebhooks } from './NumberTraffic';
import { countriesIn, type NumberForm, type NumberWhole, numberFormOf, useChangeNumber, useNumber } from './numbers';
import { MmsSwitch, SmsSwitch, VerifiedSwitch } from './Switches';

const numberLabels = labelsOf('number');

const labels = numberLabels.page;

export function NumberPage() {
  const { number } = useParams({ strict: false }) as { number: string };
  const found = useNumber(number);
  const { data } = found;
  const name = data === undefined || data.name === '' ? '' : ` · ${data.name}`;
  return (
    <Page
      title={
        <>
          <Phone digits={number} />
          {name}
        </>
      }
      documentTitle={`${phoneText(number)}${name}`}
      crumbs={[{ label: numberLabels.title, to: '/numbers' }, { label: phoneText(number) }]}
    >
      <Shown of={found}>
        {(whole) => (
          <RecordTabs of={{ kind: 'number', id: number }}>
            <What of={whole} />
            <div className={styles.columns}>
              <Settings of={whole} />
              {whole.countries === null && <NumberWebhooks number={number} />}
            </div>
            <NumberTraffic number={number} />
          </RecordTabs>
        )}
      </Shown>
    </Page>
  );
}

function What({ of }: { of: NumberWhole }) {
  const mayChange = useMay('manageNumbers');
  const mayVerify = useMay('operator') && mayChange;
  const { columns } = numberLabels;
  return (
    <Panel title={labels.facts}>
      <Facts
        facts={[
          [labels.number, <Copyable key="number" value={of.number} what={labels.number} />],
          [labels.environment, labels.sides[of.environment]],
          [labels.canSend, <CanSend key="can" of={of} here={`/numbers/${of.number}`} />],
          [labels.last24h, <Last24h key="last" of={of} />],
          [labels.queued, <Count key="queued" value={of.queued} />],
          [labels.limits, limitsOf(of)],
          ...(of.carriers === undefined
            ? []
            : [[labels.carrier, <Carriers key="carriers" of={of.carriers} />] as const]),
        ]}
      />
      <div className={styles.fix}>
        <SmsSwitch of={of} mayChange={mayChange} label={columns.sms} />
        {of.smsEnabled && of.countries === null && <MmsSwitch of={of} mayChange={mayChange} label={columns.mms} />}
        {of.verified !== null && <VerifiedSwitch of={of} mayChange={mayVerify} />}
      </div>
      {!mayChange && <p className={styles.muted}>{numberLabels.roleMissing}</p>}
      {of.verified !== null && <p className={styles.muted}>{numberLabels.verified.help}</p>}
    </Panel>
  );
}

function limitsOf({ pacing }: NumberWhole): string {
  if (pacing === null) return labels.noLimits;
  return labels.limitText(pacing.segmentsPerMinute, pacing.mmsPerMinute, pacing.segmentsPerDay) || labels.noLimits;
}

function Carriers({ of }: { of: NonNullable<NumberWhole['carriers']> }) {
  if (of.length === 0) return <span className={styles.muted}>{labels.noCarrier}</span>;
  return (
    <span className={styles.fix}>
      {of.map(({ carrierId, name }) => (
        <Link key={carrierId} to="/carriers/$carrierId" params={{ carrierId }}>
          {name}
        </Link>
      ))}
    </span>
  );
}

function Settings({ of }: { of: NumberWhole }) {
  const mayChange = useMay('manageNumbers');
  const campaigns = useCampaigns();
  const change = useChangeNumber(of.number);
  const opened = useOpened(of, numberFormOf);
  const { name, campaignId, rate, countries } = opened.form;
  const isOfName = of.countries !== null;
  const mayOpen = useMay('operator') && mayChange;
  const wrongRate = /^\d{1,6}$/.test(rate.trim()) ? undefined : labels.rateFault;
  const known = (campaigns.data ?? []).map((one) => ({ value: one.campaignId, label: one.name }));
  const own = known.some(({ value }) => value === of.campaignId) || of.campaignId === null;
  const choices = [
    { value: '', label: numberLabels.addDialog.noCampaign },
    ...known,
    ...(own ? [] : [{ value: of.campaignId!, label: of.campaignName ?? of.campaignId! }]),
  ];
  const save = ({ name, campaignId, rate, countries }: NumberForm, version: string) => {
    if (wrongRate !== undefined) return;
    const assigned = campaignId === '' ? null : campaignId;
    const sent = {
      ...{ name: name.trim(), campaignId: assigned, messagesPerSecond: Number(rate), version },
      ...(isOfName && mayOpen && { countries: countriesIn(countries) }),
    };
    change.mutate(sent, { onSuccess: opened.take });
  };
  const theirs = currentOf<NumberWhole>(change.error);
  return (
    <Panel title={labels.settings}>
      <Form label={labels.settings} onSubmit={() => save(opened.form, opened.base.version)}>
        {theirs === null ? (
          <FormFault error={change.error} />
        ) : (
          <Conflict
            rows={opened.differing(theirs).map(({ name, theirs, mine }) => ({
              field: labels[name === 'campaignId' ? 'campaign' : name],
              theirs: labelIn(choices, theirs),
              mine: labelIn(choices, mine),
            }))}
            onTheirs={() => {
              opened.take(theirs);
              change.reset();
            }}
            onMine={() => save(opened.over(theirs), theirs.version)}
          />
        )}
        <TextField
          label={labels.name}
          value={name}
          onChange={(name) => opened.set({ name })}
          isReadOnly={!mayChange}
          fault={faultOf(change.error, 'name')}
        />
        {isOfName ? (
          <TextField
            label={labels.countries}
            help={numberLabels.addDialog.countriesHelp}
            value={countries}
            onChange={(countries) => opened.set({ countries })}
            isReadOnly={!mayOpen}
            fault={faultOf(change.error, 'countries')}
          />
        ) : mayChange ? (
          <Select
            label={labels.campaign}
            help={numberLabels.addDialog.campaignHelp}
            choices={choices}
            value={campaignId}
            onChange={(campaignId) => opened.set({ campaignId })}
            fault={faultOf(change.error, 'campaignId')}
          />
        ) : (
          <Facts facts={[[labels.campaign, of.campaignName ?? numberLabels.none]]} />
        )}
        {of.campaignId !== null && (
          <p>
            <Link to="/campaigns/$campaignId" params={{ campaignId: of.campaignId }}>
              {labels.openCampaign}
            </Link>
          </p>
        )}
        <TextField
          label={labels.rate}
          help={labels.rateHelp}
          inputMode="numeric"
          value={rate}
          onChange={(rate) => opened.set({ rate })}
          isReadOnly={!mayChange}
          fault={wrongRate ?? faultOf(change.error, 'messagesPerSecond')}
        />
        {mayChange && (
          <div className={styles.fix}>
            <Button look="primary" type="submit" isPending={change.isPending}>
              {labels.save}
            </Button>
            <span role="status">{change.isSuccess ? labels.saved : ''}</span>
          </div>
        )}
      </Form>
      <p>
        {/* Written with spaces: the router would put quotes around a text of digits. */}
        <LinkButton to="/messages" search={{ q: isOfName ? `from:"${of.number}"` : phoneText(of.number) } as never}>
          {labels.allMessages}
        </LinkButton>
      </p>
    </Panel>
  );
}

/** The label of the choice; a free text is its own label. */
function labelIn(choices: readonly { value: string; label: string }[], text: string): string {
  return text === '' ? '' : (choices.find(({ value }) => value === text)?.label ?? text);
}
