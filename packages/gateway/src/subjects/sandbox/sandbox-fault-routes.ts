/**
 * `/api/v1/sandbox`: handset behaviour, link faults, wire log. Only for sandbox key pairs; each account sees its own,
 * but link faults affect all.
 */
import {
  type HandsetSettings,
  noFaults,
  type SandboxFaultInjection,
  type SandboxFaults,
} from '@heliograph/sandbox/faults';
import { isoTime } from '../../http/envelope.ts';
import { type Answer, rejection, success } from '../../http/exchange.ts';
import { type Call, type GuardedRoutes, param } from '../../http/guard.ts';
import { busy, longPollFields, waitingFor } from '../../http/long-poll.ts';
import { notSandbox } from '../../http/openapi-parts.ts';
import { textQuery } from '../../http/query-fields.ts';
import { answers, answersPage, jsonBody } from '../../http/route.ts';
import type { RouteModule } from '../../http/server.ts';
import { list, type TypeOf } from '../../http/shape.ts';
import { untilGone } from '../../http/until-gone.ts';
import { counted } from '../../kernel/counted.ts';
import { type Wire, wireEntryIdForm, wirePageMax, wireWaitMsMax } from '../../model/sandbox-wire.ts';
import { badHandset, handsetParam, isNumber, type SandboxCallers, sandboxCallers } from './sandbox-caller.ts';
import {
  autoReplyAfterMsUsual,
  faultSettings,
  handsetBehaviour,
  handsetSettings,
  receiptAfterMsUsual,
  type Sent,
  type SentSettings,
  sandboxFaults,
  wireEntry,
} from './sandbox-fault-shapes.ts';

const polling = { idForm: wireEntryIdForm, what: 'an entry of the wire', waitMsMax: wireWaitMsMax };

export function sandboxFaultRoutes(faultInjection: SandboxFaultInjection, wire: Wire): RouteModule {
  return (_app, { guarded, directory }) => {
    const callers = sandboxCallers(directory);
    addBehaviour(guarded, callers, faultInjection);
    addFaults(guarded, callers, faultInjection);
    addWire(guarded, callers, wire);
  };
}

function addBehaviour(guarded: GuardedRoutes, { admits }: SandboxCallers, faultInjection: SandboxFaultInjection): void {
  const path = '/api/v1/sandbox/handsets/:number/behaviour';
  const answer = ({ caller }: Call, number: string, detail: string): Answer<TypeOf<typeof handsetBehaviour>> =>
    success(detail, { number, ...faultInjection.settings(caller.account.accountId, number) });

  guarded.add({
    method: 'GET',
    path,
    scope: 'read',
    operationId: 'getHandsetBehaviour',
    summary: 'How a handset behaves towards your numbers',
    params: handsetParam,
    notFound: notSandbox,
    admits,
    answer: answers(handsetBehaviour, 'Its behaviour'),
    work: (call) => {
      const number = param(call, 'number');
      return isNumber(number) ? answer(call, number, 'How it behaves.') : badHandset(number);
    },
  });

  guarded.add({
    method: 'POST',
    path,
    scope: 'send',
    operationId: 'setHandsetBehaviour',
    summary: 'Switch a handset off, fill its inbox, choose its receipts and answers; {} restores its normal behaviour',
    params: handsetParam,
    notFound: notSandbox,
    admits: (call) => {
      const number = param(call, 'number');
      return admits(call) ?? (isNumber(number) ? null : badHandset(number));
    },
    body: jsonBody(handsetSettings),
    answer: answers(handsetBehaviour, 'As it behaves now'),
    work: (call) => {
      const number = param(call, 'number');
      const settings = settingsOf(call.body);
      if (typeof settings === 'string') return rejection('INVALID_FIELD', settings);
      if (!faultInjection.change(call.caller.account.accountId, number, settings)) return full;
      return answer(call, number, 'The handset behaves this way from now on, towards your numbers.');
    },
  });
}

function addFaults(guarded: GuardedRoutes, { admits }: SandboxCallers, faultInjection: SandboxFaultInjection): void {
  const path = '/api/v1/sandbox/faults';
  guarded.add({
    method: 'GET',
    path,
    scope: 'read',
    operationId: 'getSandboxFaults',
    summary: 'The faults of the simulated link that are on',
    notFound: notSandbox,
    admits,
    answer: answers(sandboxFaults, 'The faults'),
    work: ({ caller }) => success('The faults that are on.', faultInjection.faults(caller.account.accountId)),
  });

  guarded.add({
    method: 'POST',
    path,
    scope: 'send',
    people: { audit: 'sandbox.faults_changed' },
    operationId: 'setSandboxFaults',
    summary: 'Inject faults on the simulated link; {} ends all of them',
    notFound: notSandbox,
    admits,
    body: jsonBody(faultSettings),
    answer: answers(sandboxFaults, 'The faults that are on now'),
    work: ({ caller, body: { dropLink, ...settings } }) => {
      const { accountId } = caller.account;
      const before = { ...faultInjection.faults(accountId) };
      if (!faultInjection.setFaults(accountId, faultsOf(settings))) return full;
      const droppedLinks = dropLink === true ? faultInjection.dropLinks() : null;
      const dropped = droppedLinks === null ? '' : ` ${counted(droppedLinks, 'session was', 'sessions were')} dropped.`;
      const now = faultInjection.faults(accountId);
      const after = { ...now, ...(droppedLinks !== null && { droppedLinks }) };
      const answer = success(`These faults are on from now on.${dropped}`, now);
      return { ...answer, changed: { before, after } };
    },
  });
}

function addWire(guarded: GuardedRoutes, { admits, ownSenders }: SandboxCallers, wire: Wire): void {
  guarded.add({
    method: 'GET',
    path: '/api/v1/sandbox/wire',
    scope: 'read',
    operationId: 'listSandboxWire',
    summary: 'The PDUs and requests between the gateway and the simulated carrier for your numbers',
    notFound: notSandbox,
    admits,
    query: { number: textQuery('Only of this handset.'), ...longPollFields(polling, 'entry') },
    answer: answersPage(
      list(wireEntry),
      'after',
      `Entries, oldest first; without \`after\` the latest ${wirePageMax}. 500 are kept for a number and a handset, 5,000 in all`,
    ),
    work: async (call) => {
      const { number: handset, ...poll } = call.query;
      if (handset !== null && !isNumber(handset)) return badHandset(handset);
      const query = { ...waitingFor(poll), handset, isOwn: ownSenders(call) };
      const found = await untilGone(call.exchange, (signal) => wire.list({ ...query, signal }));
      if (found === 'full') return busy('Too many calls wait for the wire log at this moment.');
      const next = found[wirePageMax - 1]?.id ?? null;
      const rows = found.map(({ at, ...entry }) => ({ ...entry, at: isoTime(at) }));
      return success(`${counted(rows.length, 'entry', 'entries')}, oldest first.`, rows, next);
    },
  });
}

/** The settings, with defaults for omitted fields; or a sentence about a fault that the schema cannot express. */
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
