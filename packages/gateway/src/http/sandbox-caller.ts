/**
 * Who may call the routes of the sandbox and what they see of it: sandbox key pairs only, and of each handset what concerns
 * the caller's own numbers.
 */

import type { SenderFilter } from '@heliograph/sandbox/handsets';
import type { Directory } from '../domain/directory.ts';
import { isE164Digits, isShortCode } from '../domain/number.ts';
import { shown } from './envelope.ts';
import { type Answer, rejection } from './exchange.ts';
import type { Call, Work } from './guard.ts';

export type SandboxWork<C extends Call> = (call: C, isOwn: SenderFilter) => Answer | Promise<Answer>;

/** Makes routes that exist for sandbox key pairs only. */
export function forSandboxCallers(directory: () => Directory) {
  function ownSenders({ caller: { account, key } }: Call): SenderFilter | null {
    if (key.environment !== 'sandbox') return null;
    const records = directory();
    return (sender) => {
      const number = records.number(sender);
      return number?.accountId === account.accountId && number.environment === 'sandbox';
    };
  }

  return <C extends Call>(work: SandboxWork<C>): Work<C> =>
    (call) => {
      const isOwn = ownSenders(call);
      return isOwn === null ? liveCaller : work(call, isOwn);
    };
}

const liveCaller = rejection('NOT_FOUND', 'Handsets belong to the sandbox. Call this with a sandbox key pair.');

export function isNumber(value: string): boolean {
  return isE164Digits(value) || isShortCode(value);
}

export function badHandset(number: string): Answer {
  return rejection(
    'INVALID_FIELD',
    `The handset ${shown(number)} is no number. Write digits only, with country code and without plus, such as 12025550100.`,
  );
}
