/**
 * Mails alerts to the operators: all that are due in one mail, retried while the server does not take it. Due mails are
 * in the store, so that a restart loses none.
 */
import { isoTime } from '../../http/envelope.ts';
import { type Clock, dayMs } from '../../kernel/clock.ts';
import { counted } from '../../kernel/counted.ts';
import type { Logger } from '../../kernel/logger.ts';
import { StoreUnavailable } from '../../store/faults.ts';
import { duration } from './alert-sentences.ts';
import type { Mailer } from './mailer.ts';
import type { Operators } from './operators.ts';
import type { DueMail } from './store/items.ts';
import type { AlertStore } from './store/module.ts';

const mailedAtOnce = 100;
/** An older alert is no longer mailed; it stays in the history. */
const givenUpMs = dayMs;
const waitsMs = [60_000, 5 * 60_000, 15 * 60_000, 3_600_000];

export interface AlertMail {
  /** False when no SMTP server is configured. */
  readonly isOn: boolean;
  recipients(): Promise<readonly string[]>;
  /** Sends due mails in the background, unless that is already under way. */
  send(): void;
  /** Sends one test mail; resolves with the error, or null. */
  test(to: string): Promise<string | null>;
  stop(): Promise<void>;
}

export interface AlertMailParts {
  clock: Pick<Clock, 'now'>;
  logger: Logger;
  store: Pick<AlertStore, 'dueAlertMail' | 'noteAlertMail'>;
  operators: Pick<Operators, 'emails'>;
  /** Null = no SMTP server is configured. */
  mailer: Mailer | null;
  /** Empty = the operators. */
  to: readonly string[];
  /** The portal's address; null = unknown. */
  publicUrl: string | null;
}

export function createAlertMail(parts: AlertMailParts): AlertMail {
  const { clock, logger, store, mailer } = parts;
  let working: Promise<void> | null = null;

  const recipients = async () => (parts.to.length > 0 ? parts.to : await parts.operators.emails());

  async function work(through: Mailer): Promise<void> {
    const now = clock.now();
    const due = await store.dueAlertMail({ now, limit: mailedAtOnce });
    const isNews = ({ alert }: DueMail) => now - (alert.resolvedAt ?? alert.firedAt) < givenUpMs;
    const fresh = due.filter(isNews);
    const old = due.filter((one) => !isNews(one));
    if (old.length > 0) {
      logger.error({ alerts: old.length }, 'mails about alerts were given up after a day');
      await store.noteAlertMail(old.map((one) => noted(one, null)));
    }
    if (fresh.length === 0) return;
    const to = await recipients();
    if (to.length === 0) {
      logger.warn({ alerts: fresh.length }, 'nobody is there to be mailed about alerts');
      await store.noteAlertMail(fresh.map((one) => noted(one, null)));
      return;
    }
    const sent = await attempt(through, { to, ...mailOf(fresh, { now, publicUrl: parts.publicUrl }) });
    if (sent !== null) logger.warn({ cause: sent, alerts: fresh.length }, 'a mail about alerts was not taken');
    await store.noteAlertMail(
      fresh.map((one) => noted(one, sent === null ? null : now + waitsMs[Math.min(one.tries, waitsMs.length - 1)]!)),
    );
  }

  return {
    isOn: mailer !== null,
    recipients,
    send: () => {
      if (mailer === null || working !== null) return;
      working = work(mailer)
        .catch((error: unknown) => {
          if (!(error instanceof StoreUnavailable)) logger.error({ err: error }, 'mails about alerts were not sent');
        })
        .finally(() => {
          working = null;
        });
    },
    test: async (to) => {
      if (mailer === null) return 'No SMTP server is set: HELIO_SMTP_URL.';
      return attempt(mailer, {
        ...{ to: [to], subject: '[Heliograph] Test of the mail for alerts' },
        text: 'This is a test. Alerts of this gateway reach you by mail.\n',
      });
    },
    stop: async () => {
      await working;
    },
  };
}

/** The error, in the server's words; null when it took the mail. */
async function attempt(through: Mailer, mail: Parameters<Mailer['send']>[0]): Promise<string | null> {
  try {
    await through.send(mail);
    return null;
  } catch (error) {
    return ((error as Error).message || 'the SMTP server did not take it').slice(0, 300);
  }
}

function noted({ alert, state, tries }: DueMail, dueAt: number | null) {
  return { alertId: alert.alertId, state, tries: tries + 1, dueAt };
}

/** One mail about all of them; firing ones first. */
export function mailOf(
  due: readonly DueMail[],
  { now, publicUrl }: { now: number; publicUrl: string | null },
): { subject: string; text: string } {
  const [firing, resolved] = ['firing', 'resolved'].map((state) => due.filter((one) => one.state === state)) as [
    DueMail[],
    DueMail[],
  ];
  const lines = [...firing, ...resolved].map(({ alert, state }) => {
    const { kind, detail, firedAt, resolvedAt } = alert;
    const since = `since ${isoTime(firedAt)}`;
    return state === 'firing' || resolvedAt === null
      ? `FIRING  ${kind}: ${detail}\n        ${since}`
      : `RESOLVED  ${kind}: ${detail}\n        ${since}, over after ${duration(resolvedAt - firedAt)}`;
  });
  const where = publicUrl === null ? [] : [`${publicUrl}/alerts`];
  const counts = [
    ...(firing.length > 0 ? [`${firing.length} firing`] : []),
    ...(resolved.length > 0 ? [`${resolved.length} resolved`] : []),
  ];
  const [first] = [...firing, ...resolved];
  const subject =
    due.length === 1
      ? `${first!.state === 'firing' ? 'FIRING' : 'RESOLVED'}: ${first!.alert.detail}`
      : `${counted(due.length, 'alert')}: ${counts.join(', ')}`;
  const text = [
    ...lines,
    ...where,
    `Sent ${isoTime(now)}. Silence an alert, or change its limit, in the portal under Alerts.`,
  ];
  return { subject: `[Heliograph] ${subject}`, text: `${text.join('\n\n')}\n` };
}
