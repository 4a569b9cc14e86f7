/** The certificate that a carrier shows on its connections, and how long it still holds. */
import { Facts, Panel } from '../../ui/Page';
import { Notice } from '../../ui/States';
import { momentText } from '../../ui/Values';
import { carrierWords } from '../../words/en/carriers';
import styles from './Carriers.module.css';
import type { Carrier } from './carriers';

const words = carrierWords.detail.certificate;

export function CertificatePanel({ of }: { of: Carrier }) {
  if (!speaksTls(of)) return null;
  const certificate = of.live?.status.certificate ?? null;
  return (
    <Panel title={words.title}>
      {certificate === null ? (
        <p>{words.none}</p>
      ) : (
        <>
          {certificate.daysLeft !== null && (
            <Notice tone={certificate.daysLeft < 0 ? 'bad' : 'warn'} title={words.ending.title(certificate.daysLeft)}>
              <p>{words.ending.detail}</p>
            </Notice>
          )}
          <Facts
            facts={[
              [words.subject, <Text key="subject" of={certificate.subject} />],
              [words.issuer, <Text key="issuer" of={certificate.issuer} />],
              [words.names, <Text key="names" of={certificate.names || carrierWords.detail.none} />],
              [words.validFrom, <Moment key="from" at={certificate.validFrom} />],
              [words.validTo, <Moment key="to" at={certificate.validTo} />],
              [
                words.fingerprint,
                <code key="fingerprint" className={styles.value}>
                  {certificate.fingerprint256}
                </code>,
              ],
            ]}
          />
        </>
      )}
    </Panel>
  );
}

/** With its date even when that is today. */
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

/** Whether its settings ask for TLS: over plain connections there is no certificate to wait for. */
function speaksTls({ kind, settings }: Carrier): boolean {
  if (kind === 'mm7') return String(settings.url).startsWith('https:');
  return settings.tls === true || (typeof settings.tls === 'string' && settings.tls !== 'none');
}
