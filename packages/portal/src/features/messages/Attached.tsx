/** What came with a message from a handset: its media one by one, and content that is no text. */

import { sizeText } from '../../language/formats';
import { labelsOf } from '../../language/labels';
import { Icon } from '../../ui/icons';
import { hexOf, isShownPicture, type MediumFact, mediumIcon, ownPath } from '../../ui/medium';
import { hexLines } from '../handsets/handsets';
import mediaStyles from './Media.module.css';
import styles from './Messages.module.css';

const chatWords = labelsOf('chat');
const messageWords = labelsOf('message');

const words = messageWords.one;

/** A harmless picture is shown; everything else is for saving, as the gateway serves it. */
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
        <a href={path} download={name} aria-label={chatWords.saveNamed(name)}>
          {chatWords.save}
        </a>
      )}
    </span>
  );
}

export function Octets({ data, dataCoding }: { data: string; dataCoding: number | undefined }) {
  const hex = hexOf(data);
  return (
    <details className={mediaStyles.octets}>
      <summary>{words.octets(hex.length / 2, dataCoding)}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1) */}
      <pre tabIndex={0}>{hexLines(hex)}</pre>
      <a href={`data:application/octet-stream;base64,${data}`} download="content.bin">
        {words.saveOctets}
      </a>
    </details>
  );
}
