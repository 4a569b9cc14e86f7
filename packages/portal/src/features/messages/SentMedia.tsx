/** The media of a message: for a sent one as fetched and as fitted, for a received one each medium. */
import { sizeText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Icon } from '../../ui/icons';
import { type FittedFact, hexOf, isShownPicture, type MediumFact, mediumIcon, ownPath } from '../../ui/medium';
import { Badge } from '../../ui/Status';
import { Copyable } from '../../ui/Values';
import { hexLines } from '../handsets/handsets';
import mediaStyles from './Media.module.css';
import styles from './Messages.module.css';
import type { Whole } from './message-data';

const messageLabels = labelsOf('message');
const copied = labelsOf('copied');
const chatLabels = labelsOf('chat');

const labels = messageLabels.sentMedia;
/** States in which a carrier has the message. */
const handedOver: ReadonlySet<string> = new Set(['sent', 'delivered', 'undelivered', 'unconfirmed']);

export function SentMedia({ message: { messageId, state, mediaUrls, media } }: { message: Whole }) {
  const handed = handedOver.has(state);
  return (
    <ol className={mediaStyles.sentMedia} aria-label={labels.title}>
      {mediaUrls.map((url, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same URL may occur twice, and the list never changes
        <li key={index}>
          {media?.[index] !== undefined && (
            <Steps medium={media[index]} messageId={messageId} index={index} handed={handed} />
          )}
          <Copyable value={url} what={copied.address} />
        </li>
      ))}
    </ol>
  );
}

function Steps(props: { medium: MediumFact; messageId: string; index: number; handed: boolean }) {
  const { medium, messageId, index, handed } = props;
  const { name, state, altered, fitted = [] } = medium;
  const src = (form: string) => `/api/portal/v1/messages/${messageId}/media/${index}/${form}`;
  return (
    <>
      <span className={mediaStyles.mediumName}>
        <bdi className={mediaStyles.fileName}>{labels.place(index + 1, name)}</bdi>
        {state === 'failed' && <Badge tone="bad" icon="warning" word={labels.failed} />}
        {state === 'skipped' && <span className={styles.mediumFacts}>{labels.skipped}</span>}
        {altered !== undefined && <Badge tone="warn" icon="warning" word={labels.altered[altered]} />}
      </span>
      {medium.type !== '' && (
        <span className={mediaStyles.steps}>
          <Step label={labels.fetched} fact={medium} src={src('original')} />
          {fitted.map((one) => (
            <Step
              key={one.limit}
              label={labelOf(one, { handed, several: fitted.length > 1 })}
              fact={one}
              src={src(String(one.limit))}
            />
          ))}
        </span>
      )}
    </>
  );
}

function labelOf({ limit }: FittedFact, { handed, several }: { handed: boolean; several: boolean }): string {
  if (several) return labels.fittedFor(sizeText(limit));
  return handed ? labels.sent : labels.fittedFor(sizeText(limit));
}

type Shown = Pick<MediumFact, 'type' | 'size' | 'width' | 'height' | 'frames'>;

function Step({ label, fact, src }: { label: string; fact: Shown; src: string }) {
  return (
    <figure className={mediaStyles.step}>
      {isShownPicture(fact.type) ? (
        <img src={src} alt={label} className={mediaStyles.thumb} loading="lazy" />
      ) : (
        <Icon name={mediumIcon(fact.type)} />
      )}
      <figcaption>
        <b>{label}</b>
        <span className={styles.mediumFacts}>{measuresText(fact)}</span>
      </figcaption>
    </figure>
  );
}

/** `image/gif · 1.2 MB · 640 × 480 · 12 frames` */
function measuresText({ type, size, width, height, frames }: Shown): string {
  return [
    type,
    sizeText(size),
    ...(width === undefined || height === undefined ? [] : [labels.pixels(width, height)]),
    ...(frames === undefined ? [] : [labels.frames(frames)]),
  ].join(' · ');
}

/** Shows a harmless picture; everything else can only be saved, as the gateway serves it. */
export function Attached({ medium: { url, type, size, name } }: { medium: MediumFact }) {
  const path = ownPath(url);
  return (
    <span className={mediaStyles.attached}>
      {path !== null && isShownPicture(type) ? (
        <img src={path} alt={name} className={mediaStyles.thumb} />
      ) : (
        <Icon name={mediumIcon(type)} />
      )}
      <bdi className={mediaStyles.fileName}>{name}</bdi>
      <span className={styles.mediumFacts}>
        {type} · {sizeText(size)}
      </span>
      {path !== null && (
        <a href={path} download={name} aria-label={chatLabels.saveNamed(name)}>
          {chatLabels.save}
        </a>
      )}
    </span>
  );
}

export function Octets({ data, dataCoding }: { data: string; dataCoding: number | undefined }) {
  const hex = hexOf(data);
  return (
    <details className={mediaStyles.octets}>
      <summary>{messageLabels.one.octets(hex.length / 2, dataCoding)}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1) */}
      <pre tabIndex={0}>{hexLines(hex)}</pre>
      <a href={`data:application/octet-stream;base64,${data}`} download="content.bin">
        {messageLabels.one.saveOctets}
      </a>
    </details>
  );
}
