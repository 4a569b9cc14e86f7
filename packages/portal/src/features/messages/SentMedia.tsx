/** The media of a sent message, each as it was fetched and as it was fitted for the carrier. */

import { sizeText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Icon } from '../../ui/icons';
import { type FittedFact, isShownPicture, type MediumFact, mediumIcon } from '../../ui/medium';
import { Badge } from '../../ui/Status';
import { Copyable } from '../../ui/Values';
import mediaStyles from './Media.module.css';
import styles from './Messages.module.css';
import type { Whole } from './message-data';

const messageWords = labelsOf('message');
const copied = labelsOf('copied');

const words = messageWords.sentMedia;
/** States in which a carrier has the message. */
const handedOver: ReadonlySet<string> = new Set(['sent', 'delivered', 'undelivered', 'unconfirmed']);

export function SentMedia({ message: { messageId, state, mediaUrls, media } }: { message: Whole }) {
  const handed = handedOver.has(state);
  return (
    <ol className={mediaStyles.sentMedia} aria-label={words.title}>
      {mediaUrls.map((url, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same URL may stand twice, and the list never changes
        <li key={place}>
          {media?.[place] !== undefined && (
            <Steps medium={media[place]} messageId={messageId} place={place} handed={handed} />
          )}
          <Copyable value={url} what={copied.address} />
        </li>
      ))}
    </ol>
  );
}

function Steps(props: { medium: MediumFact; messageId: string; place: number; handed: boolean }) {
  const { medium, messageId, place, handed } = props;
  const { name, state, altered, fitted = [] } = medium;
  const src = (form: string) => `/api/portal/v1/messages/${messageId}/media/${place}/${form}`;
  return (
    <>
      <span className={mediaStyles.mediumName}>
        <bdi className={mediaStyles.fileName}>{words.place(place + 1, name)}</bdi>
        {state === 'failed' && <Badge tone="bad" icon="warning" word={words.failed} />}
        {state === 'skipped' && <span className={styles.mediumFacts}>{words.skipped}</span>}
        {altered !== undefined && <Badge tone="warn" icon="warning" word={words.altered[altered]} />}
      </span>
      {medium.type !== '' && (
        <span className={mediaStyles.steps}>
          <Step label={words.fetched} fact={medium} src={src('original')} />
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
  if (several) return words.fittedFor(sizeText(limit));
  return handed ? words.sent : words.fittedFor(sizeText(limit));
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
    ...(width === undefined || height === undefined ? [] : [words.pixels(width, height)]),
    ...(frames === undefined ? [] : [words.frames(frames)]),
  ].join(' · ');
}
