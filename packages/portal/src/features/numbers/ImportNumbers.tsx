/** A table of numbers: taken entry by entry, with a list of those that were refused and why. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api } from '../../api/client';
import { useMe } from '../../api/session';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Facts, Form } from '../../ui/Page';
import { FormFault, Notice } from '../../ui/States';
import { Table } from '../../ui/Table';
import { Code, Count } from '../../ui/Values';
import { numberWords } from '../../words/en/numbers';
import styles from './Numbers.module.css';

const words = numberWords.importer;
const example = 'number,name,sms,mms,campaign,messages_per_second\n12025550142,Shop in Austin,true,true,SBX-DEMO,0\n';

interface Imported {
  added: number;
  changed: number;
  unchanged: number;
  refused: number;
  problems: { entry: number; number: string; detail: string }[];
}

export function ImportNumbers({ onClose }: { onClose(): void }) {
  const { environment } = useMe();
  const client = useQueryClient();
  const fileId = useId();
  const [file, setFile] = useState<File | null>(null);
  const [missing, setMissing] = useState(false);
  const send = useMutation({
    mutationFn: async (text: string) =>
      (await api.upload<Imported>('/numbers/import', new Blob([text], { type: 'text/csv' }))).data,
    onSettled: () => client.invalidateQueries({ queryKey: ['numbers'] }),
  });
  const go = async (): Promise<void> => {
    setMissing(file === null);
    if (file !== null) send.mutate(await file.text());
  };
  return (
    <Dialog title={words.title} open onClose={onClose} wide>
      <Form label={words.title} onSubmit={() => void go()}>
        {missing ? <Notice tone="bad" title={words.none} /> : <FormFault error={send.error} />}
        {send.data === undefined ? (
          <>
            <p>{words.what[environment]}</p>
            <div className={styles.cell}>
              <label htmlFor={fileId}>{words.file}</label>
              <input
                id={fileId}
                type="file"
                accept=".csv,text/csv"
                onChange={(event) => setFile(event.target.files?.[0] ?? null)}
              />
            </div>
            <p className={styles.muted}>{words.columns}</p>
            <Code text={example} what={words.example} />
          </>
        ) : (
          <Result of={send.data} />
        )}
        <DialogActions>
          <Button onPress={onClose}>{send.data === undefined ? words.cancel : words.close}</Button>
          {send.data === undefined && (
            <Button look="primary" type="submit" isPending={send.isPending}>
              {words.go}
            </Button>
          )}
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function Result({ of }: { of: Imported }) {
  const names = ['added', 'changed', 'unchanged', 'refused'] as const;
  return (
    <div role="status" className={styles.cell}>
      <Facts facts={names.map((name) => [words.counts[name], <Count key={name} value={of[name]} />] as const)} />
      {of.problems.length > 0 && (
        <Table
          caption={words.counts.refused}
          compact
          rows={of.problems}
          keyOf={({ entry }) => String(entry)}
          columns={[
            { id: 'entry', title: words.entry, figures: true, cell: ({ entry }) => entry },
            { id: 'number', title: numberWords.columns.number, cell: ({ number }) => <code>{number}</code> },
            { id: 'detail', title: words.problem, cell: ({ detail }) => detail },
          ]}
        />
      )}
    </div>
  );
}
