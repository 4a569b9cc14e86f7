/** For the operator: records the carriers' decision, with its source. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Select, TextArea, TextField } from '../../ui/Field';
import { Form, Panel } from '../../ui/Page';
import { FormFault, faultOf } from '../../ui/States';
import { statusWord } from '../../ui/Status';
import { fieldName } from './CampaignHead';
import styles from './Campaigns.module.css';
import { type Campaign, type EvidenceFile, formFields, type Reason, useCampaignAct } from './campaigns';
import { AddEvidence, EvidenceFiles, evidenceOfCampaign } from './Evidence';

const campaignLabels = labelsOf('campaign');
const evidenceLabels = labelsOf('evidence');

const labels = campaignLabels.outcome;
const carrierChoices = [
  { value: '', label: campaignLabels.limits.unknown },
  ...Object.entries(campaignLabels.limits.carrierStates).map(([value, label]) => ({ value, label })),
];
const limitNames = ['segmentsPerMinute', 'mmsPerMinute', 'segmentsPerDay'] as const;
type LimitTexts = Record<(typeof limitNames)[number], string>;

const isLimit = (text: string): boolean => text.trim() === '' || /^[1-9]\d{0,6}$/.test(text.trim());

export function OutcomeForm({ of }: { of: Campaign }) {
  const act = useCampaignAct(of.campaignId, 'outcome');
  const isOpen = of.outcomes.length > 0;
  return (
    <Panel title={labels.title}>
      {isOpen && (
        <>
          <p>{labels.what}</p>
          <Decision of={of} act={act} />
        </>
      )}
      <div role="status">{act.isSuccess && <p>{labels.saved}</p>}</div>
      {!isOpen && <p>{labels.notSentIn}</p>}
    </Panel>
  );
}

function Decision({ of, act }: { of: Campaign; act: ReturnType<typeof useCampaignAct> }) {
  const [chosen, setStatus] = useState('');
  // The earlier choice may not be possible in the campaign's current status.
  const status = of.outcomes.includes(chosen) ? chosen : of.outcomes[0]!;
  const [note, setNote] = useState('');
  const [tcrId, setTcrId] = useState(of.tcrId);
  const [carriers, setCarriers] = useState<Readonly<Record<string, string>>>(of.carriers);
  const [reasons, setReasons] = useState<Reason[]>([{ field: '', sentence: '' }]);
  const [pacing, setPacing] = useState('keep');
  const [limits, setLimits] = useState<LimitTexts>(() => limitTexts(of));
  const wrong = pacing === 'own' && !limitNames.every((name) => isLimit(limits[name]));
  const client = useQueryClient();
  const owner = evidenceOfCampaign(of.campaignId);
  const proofs = notNamed(of);
  const show = (campaign: Campaign) => void client.setQueryData(['campaign', of.campaignId], campaign);
  const send = () => {
    if (wrong) return;
    const filled = reasons.filter(({ sentence }) => sentence.trim() !== '');
    act.mutate(
      {
        status,
        note,
        tcrId: tcrId.trim(),
        ...(status === 'changes_needed' && { reasons: filled }),
        evidence: proofs.map(({ evidenceId }) => evidenceId),
        carriers: Object.fromEntries(Object.entries(carriers).filter(([, state]) => state !== '')),
        ...(pacing !== 'keep' && { pacing: pacingOf(pacing, limits) }),
      },
      { onSuccess: () => setNote('') },
    );
  };
  return (
    <Form label={labels.title} onSubmit={send}>
      <FormFault error={act.error} />
      <Select
        label={labels.status}
        choices={of.outcomes.map((value) => ({ value, label: statusWord(value) }))}
        value={status}
        onChange={setStatus}
        fault={faultOf(act.error, 'status')}
      />
      {status === 'changes_needed' && (
        <Reasons reasons={reasons} onChange={setReasons} fault={faultOf(act.error, 'reasons')} />
      )}
      <TextArea
        label={labels.note}
        help={labels.noteHelp}
        value={note}
        onChange={setNote}
        fault={faultOf(act.error, 'note')}
      />
      <fieldset className={styles.group}>
        <legend>{evidenceLabels.withOutcome}</legend>
        {proofs.length > 0 && (
          <>
            <p className={styles.muted}>{evidenceLabels.goesWith(proofs.length)}</p>
            <EvidenceFiles owner={owner} files={proofs} onRemoved={show} />
          </>
        )}
        <AddEvidence owner={owner} onAdded={show} />
      </fieldset>
      <TextField label={campaignLabels.tcrId} value={tcrId} onChange={setTcrId} fault={faultOf(act.error, 'tcrId')} />
      <div className={styles.pair}>
        {Object.entries(campaignLabels.limits.carriers).map(([name, label]) => (
          <Select
            key={name}
            label={label}
            choices={carrierChoices}
            value={carriers[name] ?? ''}
            onChange={(state) => setCarriers({ ...carriers, [name]: state })}
          />
        ))}
      </div>
      <Select
        label={labels.pacing}
        choices={Object.entries(labels.pacings).map(([value, label]) => ({ value, label }))}
        value={pacing}
        onChange={setPacing}
      />
      {pacing === 'own' && (
        <div className={styles.pair}>
          {limitNames.map((name) => (
            <TextField
              key={name}
              label={labels[name]}
              help={labels.emptyNoLimit}
              inputMode="numeric"
              value={limits[name]}
              onChange={(text) => setLimits({ ...limits, [name]: text })}
              fault={isLimit(limits[name]) ? undefined : labels.wholeFault}
            />
          ))}
        </div>
      )}
      <div className={styles.line}>
        <Button look="primary" type="submit" isPending={act.isPending}>
          {labels.save}
        </Button>
      </div>
    </Form>
  );
}

/** Files not yet named in an outcome. */
function notNamed({ evidence, history }: Campaign): EvidenceFile[] {
  const named = new Set(history.flatMap((one) => one.evidence ?? []));
  return evidence.filter(({ evidenceId }) => !named.has(evidenceId));
}

function limitTexts({ pacing, tables }: Campaign): LimitTexts {
  const now = pacing ?? tables.pacing;
  return Object.fromEntries(
    limitNames.map((name) => [name, now[name] === null ? '' : String(now[name])]),
  ) as LimitTexts;
}

function pacingOf(choice: string, limits: LimitTexts) {
  if (choice === 'tables') return 'tables';
  if (choice === 'none') return null;
  return Object.fromEntries(
    limitNames.map((name) => [name, limits[name].trim() === '' ? null : Number(limits[name].trim())]),
  );
}

function Reasons({
  reasons,
  onChange,
  fault,
}: {
  reasons: Reason[];
  onChange(reasons: Reason[]): void;
  fault: string | undefined;
}) {
  const choices = [
    { value: '', label: labels.anyField },
    ...formFields.flatMap((field) =>
      field === 'samples'
        ? [0, 1, 2, 3, 4].map((at) => ({ value: `samples.${at}`, label: fieldName(`samples.${at}`) }))
        : [{ value: field, label: fieldName(field) }],
    ),
  ];
  const change = (at: number, part: Partial<Reason>) =>
    onChange(reasons.map((one, index) => (index === at ? { ...one, ...part } : one)));
  return (
    <fieldset className={styles.group}>
      <legend>{labels.reasons}</legend>
      {reasons.map((reason, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a reason has only its index
        <div key={at} className={styles.sample}>
          <Select
            label={labels.field(at + 1)}
            choices={choices}
            value={reason.field}
            onChange={(field) => change(at, { field })}
          />
          <TextArea
            label={labels.sentence(at + 1)}
            rows={2}
            value={reason.sentence}
            onChange={(sentence) => change(at, { sentence })}
            fault={at === 0 ? fault : undefined}
          />
          {reasons.length > 1 && (
            <span>
              <Button look="quiet" icon="cross" onPress={() => onChange(reasons.filter((_, index) => index !== at))}>
                {labels.removeReason(at + 1)}
              </Button>
            </span>
          )}
        </div>
      ))}
      <span>
        <Button icon="plus" onPress={() => onChange([...reasons, { field: '', sentence: '' }])}>
          {labels.addReason}
        </Button>
      </span>
    </fieldset>
  );
}
