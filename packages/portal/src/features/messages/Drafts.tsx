/** Unsent drafts: opened, and deleted with undo. */
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { labelsOf } from '../../language/labels';
import { Button, IconButton } from '../../ui/Button';
import { Panel, Row } from '../../ui/Page';
import { phoneText, Time } from '../../ui/Values';
import { readRecipients } from './compose';
import draftStyles from './Drafts.module.css';
import type { KeptDraft } from './draft';
import styles from './Messages.module.css';
import type { Drafts as DraftsOf } from './use-drafts';

const messageLabels = labelsOf('message');

const labels = messageLabels.compose.draft;

export function Drafts({ of: { list, keep, drop }, open }: { of: DraftsOf; open: string }) {
  const [deleted, setDeleted] = useState<KeptDraft | null>(null);
  const others = list.filter(({ id }) => id !== open);
  if (others.length === 0 && deleted === null) return null;
  return (
    <Panel title={labels.title(others.length)}>
      <div role="status">
        {deleted !== null && (
          <Row>
            <span>{labels.deleted}</span>
            <Button
              onPress={() => {
                keep(deleted);
                setDeleted(null);
              }}
            >
              {labels.undo}
            </Button>
          </Row>
        )}
      </div>
      <ul className={draftStyles.drafts} aria-label={labels.title(others.length)}>
        {others.map((draft) => (
          <li key={draft.id} data-row>
            <Link to="/messages/new" search={{ draft: draft.id } as never}>
              <span className={draftStyles.draftText}>{textOf(draft)}</span>
            </Link>
            <IconButton
              icon="cross"
              label={labels.remove(textOf(draft))}
              onPress={() => {
                drop(draft.id);
                setDeleted(draft);
              }}
            />
            <span className={draftStyles.draftFacts}>
              {recipientsOf(draft)} · <Time at={new Date(draft.at).toISOString()} form="relative" />
            </span>
          </li>
        ))}
      </ul>
      <p className={styles.muted}>{labels.where}</p>
    </Panel>
  );
}

function textOf({ text, media }: KeptDraft): string {
  if (text.trim() !== '') return text.trim().slice(0, 80);
  return media.length > 0 ? messageLabels.attachments(media.length) : labels.noText;
}

function recipientsOf({ to }: KeptDraft): string {
  const [first, ...more] = readRecipients(to).numbers;
  return first === undefined ? labels.noRecipient : labels.to(phoneText(first), more.length);
}
