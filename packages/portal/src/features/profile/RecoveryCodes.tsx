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
const words = labelsOf('profile').factor;

export function RecoveryCodes({ codes, onKept }: { codes: readonly string[]; onKept(): void }) {
  const text = codes.join('\n');
  const [isKept, setKept] = useState(false);
  const { question } = useOneTimeSecret(!isKept, words);
  return (
    <Notice
      tone="warn"
      title={words.codesTitle}
      actions={
        <>
          <Button
            onPress={() => {
              saveText(words.fileName, `${words.fileHead}\n\n${text}\n`);
              setKept(true);
            }}
          >
            {words.download}
          </Button>
          <CopyButton value={text} what={copied.recoveryCodes} words={copy} onCopied={() => setKept(true)} />
          <Button look="primary" onPress={onKept}>
            {words.kept}
          </Button>
        </>
      }
    >
      <p>{words.codesWhat}</p>
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      {question}
    </Notice>
  );
}
