/** Files that prove facts of a brand or a campaign: list, download, add and remove. */
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { FileTrigger } from 'react-aria-components';
import { api } from '../../api/client';
import type { Brand } from '../../api/routes/brands';
import type { Campaign } from '../../api/routes/campaigns';
import { placed } from '../../api/typed';
import { labelsOf } from '../../language/labels';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { saveAnswer } from '../../ui/download';
import { FormFault } from '../../ui/States';
import { Time } from '../../ui/Values';
import styles from './Campaigns.module.css';
import type { EvidenceFile } from './campaigns';

const labels = labelsOf('evidence');

/** Where the files of one brand or campaign are. `T`: its record, as the gateway answers it. */
export interface EvidenceOwner<T> {
  path(evidenceId: string): string;
  add(file: File): Promise<{ data: T }>;
  remove(evidenceId: string): Promise<{ data: T }>;
}

export const evidenceOfBrand = (brandId: string): EvidenceOwner<Brand> => ({
  path: (evidenceId) => placed('/brands/:brandId/evidence/:evidenceId', { brandId, evidenceId }),
  add: (file) => api.upload('/brands/:brandId/evidence', file, { brandId, query: { fileName: file.name } }),
  remove: (evidenceId) => api.delete('/brands/:brandId/evidence/:evidenceId', { brandId, evidenceId }),
});

export const evidenceOfCampaign = (campaignId: string): EvidenceOwner<Campaign> => ({
  path: (evidenceId) => placed('/campaigns/:campaignId/evidence/:evidenceId', { campaignId, evidenceId }),
  add: (file) => api.upload('/campaigns/:campaignId/evidence', file, { campaignId, query: { fileName: file.name } }),
  remove: (evidenceId) => api.delete('/campaigns/:campaignId/evidence/:evidenceId', { campaignId, evidenceId }),
});

/** `onRemoved` is set for people who may remove files, and gets the record from the gateway's answer. */
export function EvidenceFiles<T>({
  owner,
  files,
  onRemoved,
}: {
  owner: EvidenceOwner<T>;
  files: readonly EvidenceFile[];
  onRemoved?(record: T): void;
}) {
  const [removing, setRemoving] = useState<EvidenceFile | null>(null);
  return (
    <>
      <ul className={styles.list}>
        {files.map((file) => (
          <li key={file.evidenceId} className={styles.line}>
            <SaveFile owner={owner} file={file} />
            <span className={styles.muted}>
              {labels.size(file.sizeBytes)} · {file.who} · <Time at={file.at} />
            </span>
            {onRemoved !== undefined && (
              <Button look="quiet" aria-label={`${labels.remove} ${file.fileName}`} onPress={() => setRemoving(file)}>
                {labels.remove}
              </Button>
            )}
          </li>
        ))}
      </ul>
      {removing !== null && onRemoved !== undefined && (
        <RemoveFile owner={owner} file={removing} onRemoved={onRemoved} onClose={() => setRemoving(null)} />
      )}
    </>
  );
}

export function SaveFile({ owner, file }: { owner: Pick<EvidenceOwner<unknown>, 'path'>; file: EvidenceFile }) {
  const save = useMutation({ mutationFn: () => saveAnswer(file.fileName, owner.path(file.evidenceId)) });
  return (
    <>
      <Button look="quiet" icon="down" isPending={save.isPending} onPress={() => save.mutate()}>
        {labels.download(file.fileName)}
      </Button>
      <FormFault error={save.error} />
    </>
  );
}

function RemoveFile<T>({
  owner,
  file,
  onRemoved,
  onClose,
}: {
  owner: EvidenceOwner<T>;
  file: EvidenceFile;
  onRemoved(record: T): void;
  onClose(): void;
}) {
  const remove = useMutation({
    mutationFn: async () => (await owner.remove(file.evidenceId)).data,
    onSuccess: (record) => {
      onRemoved(record);
      onClose();
    },
  });
  return (
    <Dialog title={labels.removing.title(file.fileName)} open urgent onClose={onClose}>
      <FormFault error={remove.error} />
      <p>{labels.removing.detail}</p>
      <DialogActions>
        <Button onPress={onClose} autoFocus>
          {labels.removing.keep}
        </Button>
        <Button look="danger" isPending={remove.isPending} onPress={() => remove.mutate()}>
          {labels.removing.go}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

/** `onAdded` gets the record from the gateway's answer. */
export function AddEvidence<T>({ owner, onAdded }: { owner: EvidenceOwner<T>; onAdded(record: T): void }) {
  const add = useMutation({
    mutationFn: async (file: File) => (await owner.add(file)).data,
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
            {labels.add}
          </Button>
        </FileTrigger>
        <span className={styles.muted}>{labels.kinds}</span>
      </div>
      <span role="status" className="visually-hidden">
        {add.isSuccess ? labels.added : ''}
      </span>
    </>
  );
}
