/** Canned replies: picked from a menu beside the reply box, and managed in a dialog. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '../../api/client';
import type { CannedReply } from '../../api/routes/canned-replies';
import { labelsOf } from '../../language/labels';
import { Button, IconButton } from '../../ui/Button';
import { Dialog, DialogActions } from '../../ui/Dialog';
import { TextArea, TextField } from '../../ui/Field';
import { Form, Row } from '../../ui/Page';
import { FormFault } from '../../ui/States';
import { ActionMenu } from '../../ui/Tabs';
import styles from './Conversations.module.css';

const labels = labelsOf('canned');
const key = ['canned-replies'] as const;

function useCannedReplies(): readonly CannedReply[] {
  const { data = [] } = useQuery({ queryKey: key, queryFn: async () => (await api.get('/canned-replies')).data });
  return data;
}

/** How much of a text the menu shows. */
const shownMax = 60;

export function CannedReplyMenu({ onPick, onManage }: { onPick(text: string): void; onManage(): void }) {
  return (
    <ActionMenu
      label={labels.menu}
      tool="canned"
      actions={[
        ...useCannedReplies().map(({ replyId, title, text }) => ({
          id: replyId,
          label: title,
          detail: text.length > shownMax ? `${text.slice(0, shownMax)}…` : text,
          run: () => onPick(text),
        })),
        { id: 'manage', label: labels.manage, run: onManage },
      ]}
    />
  );
}

const newReply: CannedReply = { replyId: '', title: '', text: '' };

/** Never inside the reply's form: saving here would submit that too. */
export function ManageReplies({ onClose }: { onClose(): void }) {
  const replies = useCannedReplies();
  const client = useQueryClient();
  const [edited, edit] = useState<CannedReply | null>(null);
  const [removed, setRemoved] = useState<CannedReply | null>(null);
  const onSettled = () => client.invalidateQueries({ queryKey: key });
  const remove = useMutation({
    mutationFn: ({ replyId }: CannedReply) => api.delete('/canned-replies/:replyId', { replyId }),
    onSuccess: (_, reply) => setRemoved(reply),
    onSettled,
  });
  const undo = useMutation({
    mutationFn: ({ title, text }: CannedReply) => api.post('/canned-replies', { title, text }),
    onSuccess: () => setRemoved(null),
    onSettled,
  });
  if (edited !== null) return <Edit reply={edited} onClose={() => edit(null)} />;
  return (
    <Dialog title={labels.title} open onClose={onClose} wide>
      <FormFault error={remove.error ?? undo.error} />
      <div role="status">
        {removed !== null && (
          <Row>
            <span>{labels.removed(removed.title)}</span>
            <Button onPress={() => undo.mutate(removed)} isPending={undo.isPending}>
              {labels.undo}
            </Button>
          </Row>
        )}
      </div>
      {replies.length === 0 && <p>{labels.none}</p>}
      <ul className={styles.replies}>
        {replies.map((reply) => (
          <li key={reply.replyId}>
            <span>{reply.title}</span>
            <span className={styles.excerpt}>{reply.text}</span>
            <IconButton icon="settings" label={labels.edit(reply.title)} onPress={() => edit(reply)} />
            <IconButton icon="cross" label={labels.remove(reply.title)} onPress={() => remove.mutate(reply)} />
          </li>
        ))}
      </ul>
      <DialogActions>
        <Button icon="plus" onPress={() => edit(newReply)}>
          {labels.add}
        </Button>
        <Button look="primary" onPress={onClose}>
          {labels.close}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function Edit({ reply, onClose }: { reply: CannedReply; onClose(): void }) {
  const client = useQueryClient();
  const [title, setTitle] = useState(reply.title);
  const [text, setText] = useState(reply.text);
  const [tried, setTried] = useState(false);
  const save = useMutation({
    mutationFn: () =>
      reply.replyId === ''
        ? api.post('/canned-replies', { title, text })
        : api.post('/canned-replies/:replyId', { title, text }, { replyId: reply.replyId }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: key });
      onClose();
    },
  });
  const faultOf = (value: string) => (tried && value.trim() === '' ? labels.empty : undefined);
  const go = () => {
    setTried(true);
    if (title.trim() !== '' && text.trim() !== '') save.mutate();
  };
  return (
    <Dialog title={reply.replyId === '' ? labels.add : labels.edit(reply.title)} open onClose={onClose}>
      <Form label={labels.title} onSubmit={go}>
        <FormFault error={save.error} />
        <TextField label={labels.name} value={title} onChange={setTitle} maxLength={60} fault={faultOf(title)} />
        <TextArea
          label={labels.text}
          help={labels.placeholders}
          value={text}
          onChange={setText}
          maxLength={1_600}
          fault={faultOf(text)}
        />
        <DialogActions>
          <Button onPress={onClose}>{labels.cancel}</Button>
          <Button look="primary" type="submit" isPending={save.isPending}>
            {labels.save}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
