/** Recovery codes, shown once. */
import { useState } from 'react';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { saveText } from '../../ui/download';
import { useOneTimeSecret } from '../../ui/OneTimeSecret';
import { Notice } from '../../ui/States';
import { CopyButton } from '../../ui/Values';
import styles from './Profile.module.css';

const copied = labelsOf('copied');
const { copy } = labelsOf('ui').copy;
const labels = labelsOf('profile').factor;

export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept(): void }) {
  const text = codes.join('\n');
  const [isKept, setKept] = useState(false);
  const { confirmation } = useOneTimeSecret(!isKept, labels);
  return (
    <Notice
      tone="warn"
      title={labels.codesTitle}
      actions={
        <>
          <Button
            onPress={() => {
              saveText(labels.fileName, `${labels.fileHead}\n\n${text}\n`);
              setKept(true);
            }}
          >
            {labels.download}
          </Button>
          <CopyButton value={text} what={copied.recoveryCodes} label={copy} onCopied={() => setKept(true)} />
          <Button look="primary" onPress={onKept}>
            {labels.kept}
          </Button>
        </>
      }
    >
      <p>{labels.codesWhat}</p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      {confirmation}
    </Notice>
  );
}
