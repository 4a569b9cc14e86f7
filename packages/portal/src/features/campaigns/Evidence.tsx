/** Files that prove what is written down of a brand or a campaign: listed, saved to disk, and added by whoever may. */
import { useMutation } from '@tanstack/react-query';
import { FileTrigger } from 'react-aria-components';
import { api, query } from '../../api/client';
import { Button } from '../../ui/Button';
import { saveAnswer } from '../../ui/download';
import { FormFault } from '../../ui/States';
import { Time } from '../../ui/Values';
import { evidenceWords as words } from '../../words/en/campaigns';
import styles from './Campaigns.module.css';
import type { EvidenceFile } from './campaigns';

export function EvidenceFiles({ path, files }: { path: string; files: readonly EvidenceFile[] }) {
  const save = useMutation({
    mutationFn: ({ evidenceId, fileName }: EvidenceFile) =>
      saveAnswer(fileName, `${path}/evidence/${encodeURIComponent(evidenceId)}`),
  });
  return (
    <>
      <FormFault error={save.error} />
      <ul className={styles.list}>
        {files.map((file) => (
          <li key={file.evidenceId} className={styles.line}>
            <Button look="quiet" icon="down" onPress={() => save.mutate(file)}>
              {words.download(file.fileName)}
            </Button>
            <span className={styles.muted}>
              {words.size(file.sizeBytes)} · {file.who} · <Time at={file.at} />
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** `onAdded` gets the record as the gateway answers it. */
export function AddEvidence<T>({ path, onAdded }: { path: string; onAdded(record: T): void }) {
  const add = useMutation({
    mutationFn: async (file: File) =>
      (await api.upload<T>(`${path}/evidence${query({ fileName: file.name })}`, file)).data,
    onSuccess: onAdded,
  });
  return (
    <>
      <FormFault error={add.error} />
      <div className={styles.line}>
        <FileTrigger
          acceptedFileTypes={['application/pdf', 'image/png', 'image/jpeg', 'text/plain', 'message/rfc822']}
          onSelect={(chosen) => {
            const file = chosen?.[0];
            if (file !== undefined) add.mutate(file);
          }}
        >
          <Button icon="plus" isPending={add.isPending}>
            {words.add}
          </Button>
        </FileTrigger>
        <span className={styles.muted}>{words.kinds}</span>
      </div>
      <span role="status" className="visually-hidden">
        {add.isSuccess ? words.added : ''}
      </span>
    </>
  );
}
