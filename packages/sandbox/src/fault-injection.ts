/**
 * Injects faults into the sandbox: changes how a handset treats a message, and holds messages for one that is off. Each
 * account has its own faults, as long as this process runs.
 */
import { status } from '@heliograph/smpp';
import { type SandboxBehaviour, type SandboxReceipt, sandboxBehaviour } from './behaviour.ts';
import {
  type HandsetSettings,
  heldMsMax,
  noFaults,
  ordinarySettings,
  refuseBindMsMax,
  type SandboxFaultInjection,
  type SandboxFaults,
} from './faults.ts';
import type { Clock, Random } from './machine.ts';
import { createTimers } from './timers.ts';

const settingsMax = 10_000;
const accountsMax = 10_000;
/** Messages to handsets that are off. */
const heldMax = 10_000;
/** The reply to a keyword is a text to this handset too: it must not answer that one. */
const autoReplyPauseMs = 3_000;
/** How long after its receipt a reply is sent. */
const behindReceiptMs = 200;

/** A receipt of the network; one that is `lost` is never sent. */
export type FaultyReceipt = SandboxReceipt & { lost?: true };
export interface FaultyBehaviour extends SandboxBehaviour {
  receipts: readonly FaultyReceipt[];
  /** The handset is unreachable now. */
  off: boolean;
}

/** The outcomes of a message to a handset that is off. */
export interface Held {
  arrive(): void;
  expire(): void;
}

export interface FaultInjection extends Omit<SandboxFaultInjection, 'dropLinks'> {
  /** The network's behaviour for this message now. Each call counts for the throttle. */
  behaviour(from: string, to: string): FaultyBehaviour;
  /** False when too many messages are held. */
  hold(from: string, to: string, message: Held): boolean;
  refusesBind(): boolean;
  stop(): void;
}

/** MAP error 32, SM delivery failure: memory capacity exceeded. */
const inboxFull: SandboxReceipt = { stat: 'UNDELIV', err: '032', mmStatus: 'Unreachable', afterMs: 400 };
const receiptWords: Readonly<Record<SandboxReceipt['stat'], Pick<SandboxReceipt, 'err' | 'mmStatus'>>> = {
  DELIVRD: { err: '000', mmStatus: 'Retrieved' },
  UNDELIV: { err: '027', mmStatus: 'Unreachable' },
  EXPIRED: { err: '000', mmStatus: 'Expired' },
};
export const expiredReceipt: SandboxReceipt = { stat: 'EXPIRED', ...receiptWords.EXPIRED, afterMs: 0 };
const someErrors = [status.ESME_RSYSERR, status.ESME_RMSGQFUL, status.ESME_RSUBMITFAIL, status.ESME_RTHROTTLED];

interface HeldMessage extends Held {
  cancel(): void;
}

export function createFaultInjection(parts: {
  clock: Clock;
  random: Random;
  /** The account that has a sending number; '' when none has. */
  ownerOf(sender: string): string;
}): FaultInjection {
  const { clock, random, ownerOf } = parts;
  const settings = new Map<string, HandsetSettings>();
  const faults = new Map<string, SandboxFaults>();
  const seconds = new Map<string, { second: number; count: number }>();
  const held = new Map<string, Set<HeldMessage>>();
  const timers = createTimers(clock);
  let heldCount = 0;
  let refusedUntilMs = Number.NEGATIVE_INFINITY;

  const keyOf = (accountId: string, handset: string): string => `${accountId} ${handset}`;
  const settingsOf = (accountId: string, handset: string) =>
    settings.get(keyOf(accountId, handset)) ?? ordinarySettings;
  const refusesBind = (): boolean => clock.monotonicMs() < refusedUntilMs;

  function isThrottled(accountId: string, perSecond: number | null): boolean {
    if (perSecond === null) return false;
    const second = Math.floor(clock.monotonicMs() / 1_000);
    const counted = seconds.get(accountId);
    const count = counted?.second === second ? counted.count + 1 : 1;
    seconds.set(accountId, { second, count });
    return count > perSecond;
  }

  const happens = (percent: number): boolean => percent > 0 && random.fraction() * 100 < percent;

  function refusalOf(accountId: string, active: SandboxFaults): SandboxBehaviour['refusal'] {
    if (happens(active.errorPercent)) {
      const command_status = someErrors[Math.floor(random.fraction() * someErrors.length)]!;
      return { command_status, mms: 'throttled', tries: 'always' };
    }
    if (!isThrottled(accountId, active.throttlePerSecond)) return undefined;
    return { command_status: status.ESME_RTHROTTLED, mms: 'throttled', tries: 'always' };
  }

  function release(key: string, how: keyof Held = 'arrive'): void {
    const waiting = held.get(key) ?? [];
    held.delete(key);
    for (const message of waiting) {
      heldCount--;
      message.cancel();
      message[how]();
    }
  }

  function setFaults(accountId: string, next: SandboxFaults): boolean {
    if (isNone(next)) faults.delete(accountId);
    else if (faults.size >= accountsMax && !faults.has(accountId)) return false;
    else faults.set(accountId, next);
    seconds.delete(accountId);
    if (next.refuseBind !== refusesBind()) {
      refusedUntilMs = next.refuseBind ? clock.monotonicMs() + refuseBindMsMax : Number.NEGATIVE_INFINITY;
    }
    return true;
  }

  return {
    settings: settingsOf,
    change: (accountId, handset, next) => {
      const key = keyOf(accountId, handset);
      if (isOrdinary(next)) settings.delete(key);
      else if (settings.size >= settingsMax && !settings.has(key)) return false;
      else settings.set(key, next);
      if (next.power === 'on') release(key);
      return true;
    },
    faults: (accountId) => ({ ...(faults.get(accountId) ?? noFaults), refuseBind: refusesBind() }),
    setFaults,
    reset: (accountId) => {
      const own = [...settings.keys()].filter((key) => key.startsWith(keyOf(accountId, '')));
      for (const key of own) settings.delete(key);
      for (const key of own) release(key, 'expire');
      setFaults(accountId, noFaults);
    },
    behaviour: (from, to) => {
      const owner = ownerOf(from);
      const wanted = settingsOf(owner, to);
      const ordinary = withSettings(sandboxBehaviour(to), wanted);
      const off = wanted.power === 'off';
      const active = faults.get(owner);
      if (active === undefined) return { ...ordinary, off };
      const refusal = refusalOf(owner, active) ?? ordinary.refusal;
      const lose = () => happens(active.loseReceiptsPercent);
      return { ...withFaults(ordinary, active, lose), ...(refusal !== undefined && { refusal }), off };
    },
    hold: (from, to, message) => {
      if (heldCount >= heldMax) return false;
      const key = keyOf(ownerOf(from), to);
      const waiting = held.get(key) ?? new Set<HeldMessage>();
      const one: HeldMessage = {
        ...message,
        cancel: timers.after(heldMsMax, () => {
          waiting.delete(one);
          heldCount--;
          message.expire();
        }),
      };
      held.set(key, waiting.add(one));
      heldCount++;
      return true;
    },
    refusesBind,
    stop: timers.cancelAll,
  };
}

function isOrdinary(wanted: HandsetSettings): boolean {
  return wanted.power === 'on' && wanted.inbox === 'space' && wanted.receipt === null && wanted.autoReply === null;
}

/** Only an account's own faults: refusing binds affects all accounts. */
function isNone(faults: SandboxFaults): boolean {
  return Object.entries(noFaults).every(
    ([name, off]) => name === 'refuseBind' || faults[name as keyof SandboxFaults] === off,
  );
}

function withSettings(own: SandboxBehaviour, { inbox, receipt, autoReply }: HandsetSettings): SandboxBehaviour {
  const reply = autoReply === null ? own.reply : { ...autoReply, pauseMs: autoReplyPauseMs };
  const behaviour = { ...own, ...(reply !== undefined && { reply }) };
  if (inbox === 'full') return { ...behaviour, receipts: [inboxFull] };
  if (receipt === null) return behaviour;
  const { outcome, afterMs } = receipt;
  return { ...behaviour, receipts: outcome === 'none' ? [] : [{ stat: outcome, ...receiptWords[outcome], afterMs }] };
}

function withFaults(
  own: SandboxBehaviour,
  { duplicateReceipts, receiptFirst, answerAfterMs }: SandboxFaults,
  lose: () => boolean,
): Omit<FaultyBehaviour, 'off'> {
  const receipts = duplicateReceipts ? own.receipts.flatMap((one) => [one, one]) : own.receipts;
  const responseAfterMs = Math.max(own.responseAfterMs ?? 0, answerAfterMs, receiptFirst ? behindReceiptMs : 0);
  return {
    ...own,
    receipts: receipts.map((one) => ({
      ...one,
      ...(receiptFirst && { afterMs: 0 }),
      ...(lose() && { lost: true as const }),
    })),
    ...(responseAfterMs > 0 && { responseAfterMs }),
  };
}
