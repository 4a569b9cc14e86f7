/** Named searches of a list: choose, save, remove. */
import { useState } from 'react';
import { useMe } from '../api/session';
import { labelsOf } from '../language/labels';
import { Button, IconButton } from './Button';
import { Dialog, DialogActions } from './Dialog';
import { TextField } from './Field';
import { Form, Row } from './Page';
import styles from './SavedViews.module.css';
import { Notice } from './States';
import { ActionMenu } from './Tabs';
import { useUrlPart } from './url';
import { keepViews, readViews, type View, withView } from './views';

const labels = labelsOf('view');

/** For a list whose filters are in the URL under the names of `fields`, each with its label. */
export function FilterViews({ list, fields }: { list: string; fields: Readonly<Record<string, string>> }) {
  const [q, setQ] = useUrlPart(Object.keys(fields));
  const textOf = (text: string) => [...new URLSearchParams(text)].map(([name, value]) => `${fields[name]}: ${value}`);
  return <SavedViews list={list} q={q} textOf={(text) => textOf(text).join(' · ')} onChoose={setQ} />;
}

export function SavedViews({
  list,
  q,
  textOf = (text) => text,
  onChoose,
}: {
  /** The list that they belong to; each list has its own views. */
  list: string;
  q: string;
  /** A search in words. */
  textOf?(q: string): string;
  onChoose(q: string): void;
}) {
  const { userId } = useMe().user;
  const whose = { list, userId };
  const [views, setViews] = useState(() => readViews(localStorage, whose));
  const [dialog, showDialog] = useState<'save' | 'manage' | null>(null);
  const [kept, setKept] = useState(true);
  const keep = (next: View[]): void => {
    setViews(next);
    setKept(keepViews(localStorage, whose, next));
  };
  const close = () => showDialog(null);
  return (
    <>
      <ActionMenu
        label={labels.menu}
        tool="views"
        actions={[
          ...views.map(({ name, q: searched }) => ({
            id: `view ${name}`,
            label: name,
            detail: textOf(searched),
            run: () => onChoose(searched),
          })),
          { id: 'save', label: labels.save, run: () => showDialog('save') },
          ...(views.length > 0 ? [{ id: 'manage', label: labels.manage, run: () => showDialog('manage') }] : []),
        ]}
      />
      {!kept && <Notice tone="warn" title={labels.notKept} />}
      {dialog === 'save' && (
        <SaveView
          q={textOf(q)}
          onClose={close}
          onSave={(name) => {
            keep(withView(views, { name, q }));
            close();
          }}
        />
      )}
      <Dialog title={labels.manageTitle} open={dialog === 'manage'} onClose={close}>
        {views.length === 0 && <p>{labels.none}</p>}
        <ul className={styles.choices}>
          {views.map((view) => (
            <li key={view.name}>
              <Row>
                <span>{view.name}</span>
                <code>{textOf(view.q)}</code>
                <IconButton
                  icon="cross"
                  label={labels.remove(view.name)}
                  onPress={() => keep(views.filter((one) => one !== view))}
                />
              </Row>
            </li>
          ))}
        </ul>
        <p className={styles.muted}>{labels.kept}</p>
        <DialogActions>
          <Button look="primary" onPress={close}>
            {labels.close}
          </Button>
        </DialogActions>
      </Dialog>
    </>
  );
}

function SaveView({ q, onSave, onClose }: { q: string; onSave(name: string): void; onClose(): void }) {
  const [name, setName] = useState('');
  const [tried, setTried] = useState(false);
  if (q === '') {
    return (
      <Dialog title={labels.saveTitle} open onClose={onClose}>
        <p>{labels.nothing}</p>
        <DialogActions>
          <Button look="primary" onPress={onClose}>
            {labels.close}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  const go = () => {
    setTried(true);
    if (name.trim() !== '') onSave(name.trim());
  };
  return (
    <Dialog title={labels.saveTitle} open onClose={onClose}>
      <Form label={labels.saveTitle} onSubmit={go}>
        <p>
          <code>{q}</code>
        </p>
        <TextField
          label={labels.name}
          value={name}
          onChange={setName}
          maxLength={40}
          fault={tried && name.trim() === '' ? labels.nameWrong : undefined}
        />
        <p className={styles.muted}>{labels.kept}</p>
        <DialogActions>
          <Button onPress={onClose}>{labels.close}</Button>
          <Button look="primary" type="submit">
            {labels.saveIt}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
