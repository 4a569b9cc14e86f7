/** Imports a file entry by entry; lists the refused entries and the reasons at the end. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { Button } from './Button';
import { Dialog, DialogActions } from './Dialog';
import styles from './ImportDialog.module.css';
import { Facts, Form } from './Page';
import { FormFault, Notice } from './States';
import { Table } from './Table';
import { Code, Count } from './Values';

export interface Imported {
  refused: number;
  /** The first faulty entries. */
  problems: { entry: number; detail: string }[];
}

/** `counts`: in display order. */
export interface ImportLabels<A extends Imported> {
  title: string;
  file: string;
  example: string;
  go: string;
  cancel: string;
  close: string;
  /** No file was chosen. */
  none: string;
  unreadable: string;
  counts: Readonly<Record<Exclude<keyof A, 'problems'>, string>>;
  entry: string;
  problem: string;
  first(shown: number, all: number): string;
}

export interface ImportDialogProps<A extends Imported> {
  labels: ImportLabels<A>;
  /** The expected content of the file. */
  what: string;
  example: string;
  accept: string;
  send(file: Blob): Promise<{ data: A }>;
  /** The first word of the query keys that it makes stale. */
  stale: string;
  /** Null when the file cannot be read. */
  bodyOf(name: string, text: string): { type: string; body: string } | null;
  /** The subject of a refused entry. */
  subject: { title: string; of(problem: A['problems'][number]): string };
  onClose(): void;
}

export function ImportDialog<A extends Imported>(props: ImportDialogProps<A>) {
  const { labels, onClose } = props;
  const client = useQueryClient();
  const fileId = useId();
  const [file, setFile] = useState<File | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const send = useMutation({
    mutationFn: async ({ type, body }: { type: string; body: string }) =>
      (await props.send(new Blob([body], { type }))).data,
    onSettled: () => client.invalidateQueries({ queryKey: [props.stale] }),
  });

  async function go(): Promise<void> {
    if (file === null) {
      setProblem(labels.none);
      return;
    }
    const body = props.bodyOf(file.name, await file.text());
    setProblem(body === null ? labels.unreadable : null);
    if (body !== null) send.mutate(body);
  }

  return (
    <Dialog title={labels.title} open onClose={onClose} wide>
      <Form label={labels.title} onSubmit={() => void go()}>
        {problem === null ? <FormFault error={send.error} /> : <Notice tone="bad" title={problem} />}
        {send.data === undefined ? (
          <>
            <p>{props.what}</p>
            <div className={styles.file}>
              <label htmlFor={fileId}>{labels.file}</label>
              <input
                id={fileId}
                type="file"
                accept={props.accept}
                onChange={(event) => setFile(event.target.files?.[0] ?? null)}
              />
            </div>
            <div>
              <p className={styles.muted}>{labels.example}</p>
              <Code text={props.example} what={labels.example} />
            </div>
          </>
        ) : (
          <Result of={send.data} {...props} />
        )}
        <DialogActions>
          <Button onPress={onClose}>{send.data === undefined ? labels.cancel : labels.close}</Button>
          {send.data === undefined && (
            <Button look="primary" type="submit" isPending={send.isPending}>
              {labels.go}
            </Button>
          )}
        </DialogActions>
      </Form>
    </Dialog>
  );
}

function Result<A extends Imported>({ of, labels, subject }: { of: A } & ImportDialogProps<A>) {
  const counts = Object.entries<string>(labels.counts);
  return (
    <div role="status" className={styles.file}>
      <Facts
        facts={counts.map(
          ([name, title]) => [title, <Count key={name} value={Number(of[name as keyof A])} />] as const,
        )}
      />
      {of.problems.length > 0 && (
        <>
          {of.problems.length < of.refused && <p>{labels.first(of.problems.length, of.refused)}</p>}
          <Table
            caption={labels.counts['refused' as keyof typeof labels.counts]}
            rows={of.problems}
            keyOf={({ entry }) => String(entry)}
            columns={[
              { id: 'entry', title: labels.entry, figures: true, cell: ({ entry }) => entry },
              { id: 'subject', title: subject.title, cell: (problem) => <code>{subject.of(problem)}</code> },
              { id: 'detail', title: labels.problem, cell: ({ detail }) => detail },
            ]}
          />
        </>
      )}
    </div>
  );
}
