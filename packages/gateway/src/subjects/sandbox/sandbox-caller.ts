/**
 * Access to sandbox routes: only for sandbox key pairs, and on each handset only messages of the caller's own numbers.
 */
import type { SenderFilter } from '@heliograph/sandbox/handsets';
import { shown } from '../../http/envelope.ts';
import { type Answer, rejection } from '../../http/exchange.ts';
import type { Call } from '../../http/guard.ts';
import type { Directory } from '../../model/directory.ts';
import { isE164Digits, isShortCode } from '../../model/number.ts';

/** Checks access to sandbox routes. */
export interface SandboxCallers {
  /** Refuses callers without a sandbox key pair. */
  admits(call: Call): Answer<never> | null;
  /** The caller's own sandbox numbers. */
  ownSenders(call: Call): SenderFilter;
}

export function sandboxCallers(directory: () => Directory): SandboxCallers {
  return {
    admits: ({ caller: { key } }) => (key.environment === 'sandbox' ? null : liveCaller),
    ownSenders: ({ caller: { account } }) => {
      const records = directory();
      return (sender) => {
        const number = records.number(sender);
        return number?.accountId === account.accountId && number.environment === 'sandbox';
      };
    },
  };
}

const liveCaller = rejection('NOT_FOUND', 'Handsets belong to the sandbox. Call this with a sandbox key pair.');

export function isNumber(value: string): boolean {
  return isE164Digits(value) || isShortCode(value);
}

export function badHandset(number: string): Answer<never> {
  return rejection(
    'INVALID_FIELD',
    `The handset ${shown(number)} is no number. Write digits only, with country code and without plus, such as 12025550100.`,
  );
}
export const handsetParam = { number: 'The handset.' };
