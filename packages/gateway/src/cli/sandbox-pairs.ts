/**
 * `key=value` of `helio sandbox set` and `helio sandbox faults`: writes and parses a handset's behaviour and the faults
 * of the link. Pure.
 */
import type { HandsetBehaviour, SandboxFaults } from '@heliograph/client';
import { nearest } from '../kernel/nearest.ts';

/** Restores the default. */
const usual = 'usual';
const off = 'off';

const behaviourKeys = ['power', 'inbox', 'receipt', 'receiptAfterMs', 'autoReply', 'autoReplyAfterMs'] as const;
const switches = ['refuseBind', 'duplicateReceipts', 'receiptFirst', 'dropLink'] as const;
const figures = ['throttlePerSecond', 'loseReceiptsPercent', 'answerAfterMs', 'errorPercent'] as const;
const faultKeys = [...switches, ...figures];

export const behaviourHelp = `Keys: power=on|off  inbox=space|full  receipt=DELIVRD|UNDELIV|EXPIRED|none  receiptAfterMs=N
      autoReply=TEXT  autoReplyAfterMs=N
receipt=usual and autoReply=off undo them; ${usual} alone makes the handset ordinary again.`;
export const faultsHelp = `Keys: ${switches.map((key) => `${key}=true|false`).join('  ')}
      ${figures.map((key) => `${key}=N`).join('  ')}
${off} alone ends all of them.`;

/** The present settings with the given changes; or a sentence about an invalid pair. */
export function withBehaviour(now: HandsetBehaviour, pairs: readonly string[]): HandsetBehaviour | string {
  if (pairs.length === 1 && pairs[0] === usual) return {};
  const named = readPairs(pairs, behaviourKeys);
  if (typeof named === 'string') return named;
  const { power, inbox, receipt, receiptAfterMs, autoReply, autoReplyAfterMs } = named;
  const wanted: Record<string, unknown> = { ...now };
  if (power !== undefined) wanted.power = power;
  if (inbox !== undefined) wanted.inbox = inbox;
  if (receipt !== undefined) wanted.receipt = receipt === usual ? null : { ...now.receipt, outcome: receipt };
  if (autoReply !== undefined) wanted.autoReply = autoReply === off ? null : { ...now.autoReply, text: autoReply };
  const times = { receipt: receiptAfterMs, autoReply: autoReplyAfterMs };
  for (const [name, value] of Object.entries(times)) {
    if (value === undefined) continue;
    const afterMs = wholeNumber(value);
    if (afterMs === null) return `${name}AfterMs is ${JSON.stringify(value)}; it takes a whole number of milliseconds.`;
    if (wanted[name] == null) return `${name}AfterMs goes with ${name}: set that too.`;
    wanted[name] = { ...(wanted[name] as object), afterMs };
  }
  return wanted;
}

export function withFaults(now: SandboxFaults, pairs: readonly string[]): SandboxFaults | string {
  if (pairs.length === 1 && pairs[0] === off) return {};
  const named = readPairs(pairs, faultKeys);
  if (typeof named === 'string') return named;
  const wanted: Record<string, boolean | number | null> = { ...now };
  for (const [key, value] of Object.entries(named)) {
    if ((switches as readonly string[]).includes(key)) {
      if (value !== 'true' && value !== 'false') return `${key} is ${JSON.stringify(value)}; it takes true or false.`;
      wanted[key] = value === 'true';
    } else {
      const figure = value === off ? null : wholeNumber(value);
      if (figure === null && value !== off)
        return `${key} is ${JSON.stringify(value)}; it takes a whole number, or off.`;
      wanted[key] = figure;
    }
  }
  return wanted;
}

/** As a person would type them. */
export function behaviourPairs({ power, inbox, receipt, autoReply }: HandsetBehaviour): string[] {
  return [
    `power=${power ?? 'on'}`,
    `inbox=${inbox ?? 'space'}`,
    ...(receipt == null ? [] : [`receipt=${receipt.outcome}`, `receiptAfterMs=${receipt.afterMs}`]),
    ...(autoReply == null
      ? []
      : [`autoReply=${JSON.stringify(autoReply.text)}`, `autoReplyAfterMs=${autoReply.afterMs}`]),
  ];
}

/** Only active faults. */
export function faultPairs(faults: SandboxFaults): string[] {
  const isOn = ([key, value]: [string, unknown]) =>
    value !== false && value != null && (value !== 0 || key === 'throttlePerSecond');
  return Object.entries(faults)
    .filter(isOn)
    .map(([key, value]) => `${key}=${value}`);
}

function readPairs<K extends string>(
  pairs: readonly string[],
  keys: readonly K[],
): Partial<Record<K, string>> | string {
  const named: Partial<Record<K, string>> = {};
  for (const pair of pairs) {
    const place = pair.indexOf('=');
    const key = place === -1 ? pair : pair.slice(0, place);
    if (!(keys as readonly string[]).includes(key)) {
      const near = nearest(key, keys);
      return `There is no key ${JSON.stringify(key)}.${near === null ? '' : ` Did you mean ${near}?`}`;
    }
    if (place === -1) return `${key} takes a value, such as ${key}=….`;
    named[key as K] = pair.slice(place + 1);
  }
  return named;
}

function wholeNumber(text: string): number | null {
  return /^[0-9]{1,9}$/.test(text) ? Number(text) : null;
}
