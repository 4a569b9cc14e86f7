/** The certificate that a carrier shows on its connections, whether it is trusted, and how long it is valid. */
import { Fragment } from 'react';
import type { CarrierCertificate, CarrierShown } from '../../api/routes/carriers';
import { labelsOf } from '../../language/labels';
import { Facts, Panel } from '../../ui/Page';
import { Notice } from '../../ui/States';
import { momentText } from '../../ui/Values';
import styles from './Carriers.module.css';

const carrierLabels = labelsOf('carrier');

const labels = carrierLabels.detail.certificate;

export function CertificatePanel({ of }: { of: CarrierShown }) {
  // Plain connections have no certificate.
  if (!of.usesTls) return null;
  const { certificate = null, refusedCertificate: refused = null } = of.live?.status ?? {};
  // A current refusal is more useful than an earlier acceptance.
  const shown = refused ?? certificate;
  return (
    <Panel title={labels.title}>
      {refused !== null && (
        <Notice tone="bad" title={labels.refused.title}>
          <p>{labels.refused.detail}</p>
        </Notice>
      )}
      {shown === null ? <p>{labels.none}</p> : <Shown certificate={shown} />}
    </Panel>
  );
}

function Shown({ certificate }: { certificate: CarrierCertificate }) {
  return (
    <>
      {certificate.daysLeft !== null && (
        <Notice tone={certificate.daysLeft < 0 ? 'bad' : 'warn'} title={labels.ending.title(certificate.daysLeft)}>
          <p>{labels.ending.detail}</p>
        </Notice>
      )}
      <Facts
        facts={[
          [labels.subject, <Text key="subject" of={certificate.subject ?? ''} />],
          [labels.issuer, <Text key="issuer" of={certificate.issuer} />],
          [labels.names, <Text key="names" of={certificate.names || carrierLabels.detail.none} />],
          [labels.validFrom, <Moment key="from" at={certificate.validFrom} />],
          [labels.validTo, <Moment key="to" at={certificate.validTo} />],
          [
            labels.fingerprint,
            <code key="fingerprint" className={styles.value}>
              {certificate.fingerprint256.split(/(?<=:)/).map((pair, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: pairs may repeat, and never move
                <Fragment key={at}>
                  {pair}
                  <wbr />
                </Fragment>
              ))}
            </code>,
          ],
        ]}
      />
    </>
  );
}

/** With its date, even when that is today. */
function Moment({ at }: { at: string }) {
  return (
    <time dateTime={at} title={`${at} UTC`}>
      {momentText(at)}
    </time>
  );
}

function Text({ of }: { of: string }) {
  return <span className={styles.value}>{of}</span>;
}
