/**
 * `/api/v1/sandbox`: how a handset behaves, faults of the link, and what was said on the wire. Only sandbox key pairs; each
 * account sets and sees its own, but for the link itself, which is everybody's.
 */

import { type HandsetSettings, noFaults, type SandboxFaults, type SandboxTrouble } from '@heliograph/sandbox/faults';
import { counted } from '../domain/counted.ts';
import { type Wire, wireEntryIdForm, wirePageMax, wireWaitMsMax } from '../domain/sandbox-wire.ts';
import { isoTime } from './envelope.ts';
import { type Answer, rejection, success } from './exchange.ts';
import { type Call, type JsonCall, param } from './guard.ts';
import { createBodyReader } from './json-body.ts';
import { valuesOnce } from './list-query.ts';
import { busy, longPollOf } from './long-poll.ts';
import {
  autoReplyAfterMsUsual,
  behaviourSchema,
  faultsSchema,
  receiptAfterMsUsual,
} from './openapi-sandbox-trouble.ts';
import { badHandset, forSandboxCallers, isNumber, type SandboxWork } from './sandbox-caller.ts';
import type { RouteModule } from './server.ts';
import { untilGone } from './until-gone.ts';

const base = '/api/v1/sandbox';
const polling = { idForm: wireEntryIdForm, what: 'an entry of the wire', waitMsMax: wireWaitMsMax };

type Sent<T> = { [K in keyof T]?: T[K] | null };
type SentSettings = Sent<{
  power: HandsetSettings['power'];
  inbox: HandsetSettings['inbox'];
  receipt: Pick<NonNullable<HandsetSettings['receipt']>, 'outcome'> & Sent<{ afterMs: number }>;
  autoReply: { text: string } & Sent<{ afterMs: number }>;
}>;
type SentFaults = Sent<SandboxFaults & { dropLink: boolean }>;

/** What is left out is as usual. */
const readSettings = createBodyReader<SentSettings>(behaviourSchema);
/** What is left out is off. */
const readFaults = createBodyReader<SentFaults>(faultsSchema);

export function sandboxTroubleRoutes(trouble: SandboxTrouble, wire: Wire): RouteModule {
  return (_app, { guarded, directory }) => {
    const forSandbox = forSandboxCallers(directory);

    const behaviour = ({ caller }: Call, number: string, detail: string): Answer =>
      success(detail, { number, ...trouble.settings(caller.account.accountId, number) }, null);

    const show: SandboxWork<Call> = (call) => {
      const number = param(call, 'number');
      return isNumber(number) ? behaviour(call, number, 'How it behaves.') : badHandset(number);
    };

    const change: SandboxWork<JsonCall> = (call) => {
      const number = param(call, 'number');
      if (!isNumber(number)) return badHandset(number);
      const read = readSettings(call.body);
      if (!read.ok) return read.answer;
      const settings = settingsOf(read.fields);
      if (typeof settings === 'string') return rejection('INVALID_FIELD', settings);
      if (!trouble.change(call.caller.account.accountId, number, settings)) return full;
      return behaviour(call, number, 'The handset behaves so from now on, towards your numbers.');
    };

    const faults = ({ caller }: Call, detail: string): Answer =>
      success(detail, trouble.faults(caller.account.accountId), null);

    const setFaults: SandboxWork<JsonCall> = (call) => {
      const read = readFaults(call.body);
      if (!read.ok) return read.answer;
      const { dropLink, ...asked } = read.fields;
      const { accountId } = call.caller.account;
      const before = { ...trouble.faults(accountId) };
      if (!trouble.setFaults(accountId, faultsOf(asked))) return full;
      const droppedLinks = dropLink === true ? trouble.dropLinks() : null;
      const dropped = droppedLinks === null ? '' : ` ${counted(droppedLinks, 'session was', 'sessions were')} dropped.`;
      const after = { ...trouble.faults(accountId), ...(droppedLinks !== null && { droppedLinks }) };
      return { ...faults(call, `These faults are on from now on.${dropped}`), changed: { before, after } };
    };

    const onWire: SandboxWork<Call> = async ({ exchange }, isOwn) => {
      const values = valuesOnce(exchange.query, ['number']);
      if (typeof values === 'string') return rejection('INVALID_FIELD', values);
      const handset = values.number;
      if (handset !== null && !isNumber(handset)) return badHandset(handset);
      const asked = longPollOf(exchange.query, polling);
      if (typeof asked === 'string') return rejection('INVALID_FIELD', asked);
      const found = await untilGone(exchange, (signal) => wire.list({ ...asked, handset, isOwn, signal }));
      if (found === 'full') return busy('Too many calls wait for the wire at this moment.');
      const next = found[wirePageMax - 1]?.id ?? null;
      const rows = found.map(({ at, ...entry }) => ({ ...entry, at: isoTime(at) }));
      return success(`${counted(rows.length, 'entry', 'entries')}, oldest first.`, rows, next);
    };

    guarded.get(`${base}/handsets/:number/behaviour`, 'read', forSandbox(show));
    guarded.post(`${base}/handsets/:number/behaviour`, 'send', forSandbox(change));
    guarded.get(
      `${base}/faults`,
      'read',
      forSandbox((call) => faults(call, 'The faults that are on.')),
    );
    guarded.post(`${base}/faults`, 'send', forSandbox(setFaults));
    guarded.get(`${base}/wire`, 'read', forSandbox(onWire));
  };
}

/** What was sent, with what was left out; or what is wrong with it that no schema says. */
function settingsOf({ power, inbox, receipt, autoReply }: SentSettings): HandsetSettings | string {
  if (autoReply != null && !isText(autoReply.text)) {
    return 'The text of autoReply is empty, or holds NUL or half a surrogate pair. Nothing was changed.';
  }
  return {
    power: power ?? 'on',
    inbox: inbox ?? 'space',
    receipt: receipt == null ? null : { ...receipt, afterMs: receipt.afterMs ?? receiptAfterMsUsual },
    autoReply: autoReply == null ? null : { ...autoReply, afterMs: autoReply.afterMs ?? autoReplyAfterMsUsual },
  };
}

function isText(text: string): boolean {
  return text.trim() !== '' && !text.includes('\0') && text.isWellFormed();
}

function faultsOf(sent: Sent<SandboxFaults>): SandboxFaults {
  const on = Object.entries(sent).filter(([, value]) => value !== null);
  return { ...noFaults, ...Object.fromEntries(on) };
}

const full = busy('Too many settings of the sandbox are kept already.');
