/** Searches with a name: chosen, saved, removed. */
import { useState } from 'react';
import { useMe } from '../../api/session';
import { Button, IconButton } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { TextField } from '../../ui/Field';
import { Form, Row } from '../../ui/Page';
import { Notice } from '../../ui/States';
import { ActionMenu } from '../../ui/Tabs';
import { viewWords as words } from '../../words/en/message-bulk';
import styles from './Messages.module.css';
import { keepViews, readViews, type View, withView } from './views';

export function Views({ q, onChoose }: { q: string; onChoose(q: string): void }) {
  const { userId } = useMe().user;
  const [views, setViews] = useState(() => readViews(localStorage, userId));
  const [asked, ask] = useState<'save' | 'manage' | null>(null);
  const [kept, setKept] = useState(true);
  const keep = (next: View[]): void => {
    setViews(next);
    setKept(keepViews(localStorage, userId, next));
  };
  const close = () => ask(null);
  return (
    <>
      <ActionMenu
        label={words.menu}
        actions={[
          ...views.map(({ name, q: searched }) => ({
            ...{ id: `view ${name}`, label: name, detail: searched },
            run: () => onChoose(searched),
          })),
          { id: 'save', label: words.save, run: () => ask('save') },
          ...(views.length > 0 ? [{ id: 'manage', label: words.manage, run: () => ask('manage') }] : []),
        ]}
      />
      {!kept && <Notice tone="warn" title={words.notKept} />}
      {asked === 'save' && (
        <SaveView
          q={q}
          onClose={close}
          onSave={(name) => {
            keep(withView(views, { name, q }));
            close();
          }}
        />
      )}
      <Dialog title={words.manageTitle} open={asked === 'manage'} onClose={close}>
        {views.length === 0 && <p>{words.none}</p>}
        <ul className={styles.choices}>
          {views.map((view) => (
            <li key={view.name}>
              <Row>
                <span>{view.name}</span>
                <code>{view.q}</code>
                <IconButton
                  icon="cross"
                  label={words.remove(view.name)}
                  onPress={() => keep(views.filter((one) => one !== view))}
                />
              </Row>
            </li>
          ))}
        </ul>
        <p className={styles.muted}>{words.kept}</p>
        <DialogActions>
          <Button look="primary" onPress={close}>
            {words.close}
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
      <Dialog title={words.saveTitle} open onClose={onClose}>
        <p>{words.nothing}</p>
        <DialogActions>
          <Button look="primary" onPress={onClose}>
            {words.close}
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
    <Dialog title={words.saveTitle} open onClose={onClose}>
      <Form label={words.saveTitle} onSubmit={go}>
        <p>
          <code>{q}</code>
        </p>
        <TextField
          label={words.name}
          value={name}
          onChange={setName}
          maxLength={40}
          fault={tried && name.trim() === '' ? words.nameWrong : undefined}
        />
        <p className={styles.muted}>{words.kept}</p>
        <DialogActions>
          <Button onPress={onClose}>{words.close}</Button>
          <Button look="primary" type="submit">
            {words.saveIt}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
