/** `helio explain CODE`: prints the catalogue's text of a code, without contacting a gateway. */

import { nearest } from '../kernel/nearest.ts';
import { type Reason, reasons } from '../model/reason.ts';
import { exitCodes, type Terminal } from './terminal.ts';

const scopes: Record<Reason['scope'], string> = {
  request: '`reason` of an answer',
  recipient: '`status` of a recipient',
  outcome: 'outcome of a message',
};
const billing: Record<Reason['billed'], string> = { no: 'no', yes: 'yes', if_sent: 'if it was sent' };

export function explain(code: string | undefined, flags: { json?: boolean }, terminal: Terminal): number {
  if (code === undefined) {
    if (flags.json === true) terminal.out(`${JSON.stringify(reasons)}\n`);
    else
      for (const reason of reasons)
        terminal.out(`${reason.code.padEnd(26)}${reason.scope.padEnd(11)}${reason.title}\n`);
    return exitCodes.ok;
  }
  const found = reasons.filter((reason) => reason.code === code.toUpperCase());
  if (found.length === 0) {
    const near = nearest(
      code,
      reasons.map((reason) => reason.code),
    );
    terminal.error(`There is no code ${JSON.stringify(code)}.${near === null ? '' : ` Did you mean ${near}?`}\n`);
    terminal.error(`Next: helio explain${near === null ? '' : ` ${near}`}\n`);
    return exitCodes.usage;
  }
  terminal.out(flags.json === true ? `${JSON.stringify(found)}\n` : found.map(entry).join('\n'));
  return exitCodes.ok;
}

function entry(reason: Reason): string {
  const facts = [
    scopes[reason.scope],
    ...(reason.httpStatus === null ? [] : [`HTTP ${reason.httpStatus}`]),
    `try again: ${reason.retryable ? 'yes' : 'no'}`,
    `billed: ${billing[reason.billed]}`,
    ...(reason.issued ? [] : ['reserved: nothing answers it yet']),
  ];
  return [
    `${reason.code}   ${reason.title}`,
    `  ${facts.join(' · ')}`,
    '',
    '  How it comes about',
    ...reason.cause.map((line) => `  - ${line}`),
    '  What to do',
    ...reason.fix.map((line) => `  - ${line}`),
    '',
  ].join('\n');
}
