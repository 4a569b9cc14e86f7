/** Beside the form of a brand: whether its website answers, and documents that prove its identity. */
import { useMutation } from '@tanstack/react-query';
import { api } from '../../api/client';
import { useMay } from '../../api/session';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Panel } from '../../ui/Page';
import { FormFault } from '../../ui/States';
import { Badge } from '../../ui/Status';
import { Time } from '../../ui/Values';
import styles from './Campaigns.module.css';
import { type Brand, useShownBrand } from './campaigns';
import { AddEvidence, EvidenceFiles, evidenceOfBrand } from './Evidence';

const evidenceLabels = labelsOf('evidence');
const labels = labelsOf('brand');

export function Website({ of }: { of: Brand }) {
  const mayManage = useMay('manageCampaigns');
  const show = useShownBrand();
  const look = useMutation({
    mutationFn: async () => (await api.post('/brands/:brandId/website', {}, { brandId: of.brandId })).data,
    onSuccess: show,
  });
  const { websiteCheck, website } = of;
  const isOfNow = websiteCheck !== null && websiteCheck.url === website.trim();
  return (
    <Panel title={labels.website.title}>
      <p>{labels.website.what}</p>
      <FormFault error={look.error} />
      <div role="status" className={styles.line}>
        {isOfNow ? (
          <>
            <Badge
              tone={websiteCheck.ok ? 'ok' : 'warn'}
              icon={websiteCheck.ok ? 'check' : 'warning'}
              word={websiteCheck.ok ? labels.website.ok : labels.website.wrong}
            />
            <span>{websiteCheck.sentence}</span>
            <span className={styles.muted}>
              <Time at={websiteCheck.at} form="relative" />
            </span>
          </>
        ) : (
          <span className={styles.muted}>{website.trim() === '' ? labels.website.none : labels.website.never}</span>
        )}
      </div>
      {mayManage && website.trim() !== '' && (
        <div className={styles.line}>
          <Button isPending={look.isPending} onPress={() => look.mutate()}>
            {labels.website.look}
          </Button>
        </div>
      )}
    </Panel>
  );
}

export function BrandEvidence({ of }: { of: Brand }) {
  const mayManage = useMay('manageCampaigns');
  const show = useShownBrand();
  const owner = evidenceOfBrand(of.brandId);
  return (
    <Panel title={evidenceLabels.title}>
      <p>{evidenceLabels.ofBrand}</p>
      {of.evidence.length === 0 ? (
        <p className={styles.muted}>{evidenceLabels.none}</p>
      ) : (
        <EvidenceFiles owner={owner} files={of.evidence} {...(mayManage && { onRemoved: show })} />
      )}
      {mayManage && <AddEvidence owner={owner} onAdded={show} />}
    </Panel>
  );
}
