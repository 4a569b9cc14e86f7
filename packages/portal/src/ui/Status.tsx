/** States in an icon, a word and a tone: the same words in the portal, the command line and the documentation. */

import { Icon, type IconName } from './icons';
import styles from './Status.module.css';
import tones from './Tones.module.css';

export type Tone = 'ok' | 'warn' | 'bad' | 'info' | 'neutral';

interface Look {
  word: string;
  icon: IconName;
  tone: Tone;
}

const looks: Readonly<Record<string, Look>> = {
  accepted: { word: 'Accepted', icon: 'queued', tone: 'neutral' },
  queued: { word: 'Queued', icon: 'queued', tone: 'neutral' },
  sending: { word: 'Sending', icon: 'sending', tone: 'info' },
  sent: { word: 'Sent to carrier', icon: 'sending', tone: 'info' },
  delivered: { word: 'Delivered', icon: 'check', tone: 'ok' },
  undelivered: { word: 'Undelivered', icon: 'cross', tone: 'bad' },
  expired: { word: 'Expired', icon: 'hourglass', tone: 'warn' },
  failed: { word: 'Not sent', icon: 'cross', tone: 'bad' },
  canceled: { word: 'Canceled', icon: 'cross', tone: 'neutral' },
  unconfirmed: { word: 'No receipt', icon: 'question', tone: 'warn' },
  uncertain: { word: 'Uncertain', icon: 'question', tone: 'warn' },
  held: { word: 'Held', icon: 'pause', tone: 'warn' },
  received: { word: 'Received', icon: 'received', tone: 'info' },
  refused: { word: 'Refused', icon: 'cross', tone: 'bad' },
  up: { word: 'Up', icon: 'check', tone: 'ok' },
  connecting: { word: 'Connecting', icon: 'queued', tone: 'warn' },
  down: { word: 'Down', icon: 'cross', tone: 'bad' },
  paused: { word: 'Paused', icon: 'pause', tone: 'neutral' },
  draft: { word: 'Draft', icon: 'queued', tone: 'neutral' },
  submitted: { word: 'Submitted', icon: 'sending', tone: 'info' },
  in_review: { word: 'In review', icon: 'hourglass', tone: 'info' },
  changes_needed: { word: 'Changes needed', icon: 'warning', tone: 'warn' },
  approved: { word: 'Approved', icon: 'check', tone: 'ok' },
  suspended: { word: 'Suspended', icon: 'pause', tone: 'bad' },
  active: { word: 'Active', icon: 'check', tone: 'ok' },
  waiting: { word: 'Waiting', icon: 'queued', tone: 'warn' },
  healthy: { word: 'Healthy', icon: 'check', tone: 'ok' },
  failing: { word: 'Failing', icon: 'warning', tone: 'bad' },
  disabled: { word: 'Disabled', icon: 'pause', tone: 'neutral' },
  revoked: { word: 'Revoked', icon: 'cross', tone: 'bad' },
};

export function statusWord(state: string): string {
  return looks[state]?.word ?? state;
}

export function StatusBadge({ state }: { state: string }) {
  const look = looks[state] ?? { word: state, icon: 'info', tone: 'neutral' };
  return <Badge tone={look.tone} icon={look.icon} word={look.word} />;
}

export function Badge({ tone, icon, word }: { tone: Tone; icon: IconName; word: string }) {
  return (
    <span className={`${styles.badge} ${tones[tone]}`}>
      <Icon name={icon} />
      {word}
    </span>
  );
}
