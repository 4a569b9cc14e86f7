/** A file of opt-outs: taken entry by entry, with a table of those that were refused and why. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { api } from '../../api/client';
import { Button } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { Facts, Form } from '../../ui/Page';
import { FormFault, Notice } from '../../ui/States';
import { Table } from '../../ui/Table';
import { Code, Count } from '../../ui/Values';
import { optOutWords } from '../../words/en/opt-outs';
import styles from './OptOuts.module.css';
import { type Imported, importBody } from './opt-outs';

const words = optOutWords.importer;
const example = 'contact,number,reason\n12025550100,12025550199,asked by e-mail on 4 May\n';

export function ImportDialog({ onClose }: { onClose(): void }) {
  const client = useQueryClient();
  const fileId = useId();
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const send = useMutation({
    mutationFn: async ({ type, body }: { type: string; body: string }) =>
      (await api.upload<Imported>('/opt-outs/import', new Blob([body], { type }))).data,
    onSuccess: () => client.invalidateQueries({ queryKey: ['opt-outs'] }),
  });

  async function go(): Promise<void> {
    if (file === null) {
      setProblem(words.none);
      return;
    }
    const body = importBody(file.name, await file.text());
    setProblem(body === null ? words.unreadable : null);
    if (body !== null) send.mutate(body);
  }

  return (
    <Dialog title={words.title} open onClose={onClose} wide>
      <Form label={words.title} onSubmit={() => void go()}>
        {problem === null ? <FormFault error={send.error} /> : <Notice tone="bad" title={problem} />}
        {send.data === undefined ? (
          <>
            <p>{words.what}</p>
            <div className={styles.file}>
              <label className={styles.label} htmlFor={fileId}>
                {words.file}
              </label>
              <input
                id={fileId}
                type="file"
                accept=".csv,.json,text/csv,application/json"
                onChange={(event) => setFile(event.target.files?.[0] ?? null)}
              />
            </div>
            <div>
              <p className={styles.muted}>{words.example}</p>
              <Code text={example} what="example" />
            </div>
          </>
        ) : (
          <Result of={send.data} />
        )}
        <DialogActions>
          <Button onPress={onClose}>{send.data === undefined ? optOutWords.cancel : optOutWords.close}</Button>
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
  const names = ['added', 'unchanged', 'refused'] as const;
  return (
    <div role="status" className={styles.file}>
      <Facts facts={names.map((name) => [words.counts[name], <Count key={name} value={of[name]} />] as const)} />
      {of.problems.length > 0 && (
        <>
          {of.problems.length < of.refused && <p>{words.first(of.problems.length, of.refused)}</p>}
          <Table
            caption={words.counts.refused}
            compact
            rows={of.problems}
            keyOf={({ entry }) => String(entry)}
            columns={[
              { id: 'entry', title: words.entry, figures: true, cell: ({ entry }) => entry },
              { id: 'contact', title: optOutWords.columns.contact, cell: ({ contact }) => <code>{contact}</code> },
              { id: 'problem', title: words.problem, cell: ({ detail }) => detail },
            ]}
          />
        </>
      )}
    </div>
  );
}
