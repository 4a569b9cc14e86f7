/**
 * New replies: the number of unread ones, and browser notifications. These are off until the person turns them on in
 * this browser; the browser asks for permission only after that press. They never contain a text.
 */

import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useCallback, useEffect, useRef, useSyncExternalStore } from 'react';
import { api } from '../api/client';
import { useLive, useMissed } from '../api/live';
import { useOwnNumbers } from '../api/own-numbers';
import { useMay } from '../api/session';
import { labelsOf } from '../language/labels';
import { setUnreadInTitle } from '../ui/tab-title';
import { phoneText } from '../ui/Values';

const frameLabels = labelsOf('frame');

const labels = frameLabels.notify;
const notifyName = 'helio-notify';
const listeners = new Set<() => void>();

/**
 * `unable`: this browser has no notifications here, for example without https. `denied`: they are blocked in the
 * browser's settings.
 */
export type NotifyState = 'on' | 'off' | 'denied' | 'unable';

function readState(): NotifyState {
  if (typeof Notification === 'undefined' || !isSecureContext) return 'unable';
  if (Notification.permission === 'denied') return 'denied';
  try {
    return Notification.permission === 'granted' && localStorage.getItem(notifyName) === 'on' ? 'on' : 'off';
  } catch {
    return 'off';
  }
}

export function useNotifyState(): NotifyState {
  return useSyncExternalStore((changed) => {
    listeners.add(changed);
    return () => listeners.delete(changed);
  }, readState);
}

/** Call it from a press: the browser shows its permission prompt only then. */
export async function setNotify(on: boolean): Promise<void> {
  if (on && Notification.permission === 'default') await Notification.requestPermission();
  try {
    if (on) localStorage.setItem(notifyName, 'on');
    else localStorage.removeItem(notifyName);
  } catch {
    // Without storage there are no notifications.
  }
  for (const listener of listeners) listener();
}

const soundName = 'helio-sound';

function readSound(): boolean {
  try {
    return localStorage.getItem(soundName) === 'on';
  } catch {
    return false;
  }
}

/** Whether this browser plays a sound for new replies: off until the person turns it on here. */
export function useSoundState(): boolean {
  return useSyncExternalStore((changed) => {
    listeners.add(changed);
    return () => listeners.delete(changed);
  }, readSound);
}

/** Plays it once when turned on: browsers allow sound only after a press. */
export function setSound(on: boolean): void {
  try {
    if (on) localStorage.setItem(soundName, 'on');
    else localStorage.removeItem(soundName);
  } catch {
    // Without storage there is no sound.
  }
  if (on) playSound();
  for (const listener of listeners) listener();
}

/** Two short tones. */
function playSound(): void {
  if (typeof AudioContext === 'undefined') return;
  const audio = new AudioContext();
  const loudness = audio.createGain();
  loudness.connect(audio.destination);
  loudness.gain.setValueAtTime(0.08, audio.currentTime);
  loudness.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + 0.35);
  const tone = audio.createOscillator();
  tone.frequency.setValueAtTime(660, audio.currentTime);
  tone.frequency.setValueAtTime(880, audio.currentTime + 0.12);
  tone.connect(loudness);
  tone.start();
  tone.stop(audio.currentTime + 0.35);
  tone.onended = () => void audio.close();
}

const soundedAtName = 'helio-sounded';
const soundApartMs = 1_500;

/** Tabs of one browser share a mark, so that only the first one plays. */
function soundOnce(): void {
  const now = Date.now();
  if (now - Number(localStorage.getItem(soundedAtName) ?? 0) < soundApartMs) return;
  localStorage.setItem(soundedAtName, String(now));
  playSound();
}

/** Replies within this time share a notification. */
const calmMs = 1_000;

/** Notifies of replies while the page is in the background. */
export function useNotifications(): void {
  const router = useRouter();
  const own = useRef<readonly string[]>([]);
  const numbers = useOwnNumbers();
  useEffect(() => {
    own.current = numbers;
  }, [numbers]);
  const arrived = useRef<{ from: string; to: string }[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);

  const notify = useCallback(() => {
    timer.current = null;
    const replies = arrived.current;
    arrived.current = [];
    const last = replies.at(-1);
    if (last === undefined) return;
    // Only one tab of a browser plays, also with the page in front.
    if (readSound()) soundOnce();
    if (readState() !== 'on' || document.hasFocus()) return;
    const isOne = replies.every(({ from, to }) => from === last.from && to === last.to);
    const title = isOne ? labels.one(phoneText(last.from)) : labels.many(replies.length);
    // With one tag, the tabs of a browser share a notification.
    const shown = new Notification(title, { body: labels.on(phoneText(last.to)), tag: notifyName, icon: '/icon.svg' });
    shown.onclick = () => {
      focus();
      shown.close();
      router.history.push(isOne ? `/conversations/${last.to}/${last.from}` : '/conversations');
    };
  }, [router]);

  useLive(
    useCallback(
      (type, { type: event, from, to }) => {
        if (type !== 'message' || event !== 'message.received' || (readState() !== 'on' && !readSound())) return;
        if (from === undefined || to === undefined || !own.current.includes(to)) return;
        arrived.current.push({ from, to });
        timer.current ??= setTimeout(notify, calmMs);
      },
      [notify],
    ),
  );
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
    },
    [],
  );
}

const unreadKey = ['unread'] as const;
/** A burst of replies is counted once. */
const countAfterMs = 500;

/** Unread replies of the company, as the gateway counts them: for the navigation and the title of the tab. */
export function useUnread(): number {
  const mayRead = useMay('readBody');
  const client = useQueryClient();
  const { data = 0 } = useQuery({
    queryKey: unreadKey,
    enabled: mayRead,
    queryFn: async () => (await api.get('/conversations', { query: { limit: 1 } })).data.unread,
  });
  const timer = useRef<ReturnType<typeof setTimeout> | null>(null);
  const countSoon = useCallback(() => {
    timer.current ??= setTimeout(() => {
      timer.current = null;
      void client.invalidateQueries({ queryKey: unreadKey });
    }, countAfterMs);
  }, [client]);
  useLive(
    useCallback(
      (type, { direction }) => {
        if (type === 'conversation' || (type === 'message' && direction === 'inbound')) countSoon();
      },
      [countSoon],
    ),
  );
  useMissed(countSoon);
  const unread = mayRead ? data : 0;
  useEffect(() => setUnreadInTitle(unread), [unread]);
  useEffect(
    () => () => {
      if (timer.current !== null) clearTimeout(timer.current);
      setUnreadInTitle(0);
    },
    [],
  );
  return unread;
}
