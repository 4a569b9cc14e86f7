/**
 * The message log as CSV (RFC 4180) or JSON lines, written page by page. Numbers appear grouped, so spreadsheets keep
 * them as text, and as digits.
 */
import { isoTime } from '../../http/envelope.ts';
import type { Streaming } from '../../http/exchange.ts';
import { type ExportFormat, localTimes } from '../../http/portal/export-stream.ts';
import { counted } from '../../kernel/counted.ts';
import { csvCell } from '../../kernel/csv.ts';
import type { MessageSearch } from '../../messaging/store/message-log-items.ts';
import type { Directory } from '../../model/directory.ts';
import { keyNameOf } from '../../model/directory.ts';
import type { ListedMessage } from '../../model/message-search.ts';
import { flatMessage } from '../../model/message-view.ts';
import type { MessageLogStore } from './store/module.ts';

export const exportLimits = { rows: 500_000, page: 500 } as const;

export interface ExportForm {
  format: ExportFormat;
  /** Replaces texts by their lengths. */
  hidesTexts: boolean;
  /** IANA name, for the column of local times. */
  timeZone: string;
}

const columns = [
  ...['Time (UTC)', 'Local time', 'Direction', 'From', 'From digits', 'To', 'To digits', 'Text', 'Type', 'Parts'],
  ...['Status', 'Reason', 'Carrier code', 'Key', 'Reference', 'Message', 'Request'],
];

/** Writes until the end, until the client is gone, or up to the limit. */
export async function writeExport(
  stream: Streaming,
  search: Omit<MessageSearch, 'limit'>,
  form: ExportForm,
  parts: { store: Pick<MessageLogStore, 'searchMessages'>; directory: Directory; gone(): boolean },
): Promise<void> {
  const local = localTimes(form.timeZone);
  const line = (message: ListedMessage): string =>
    form.format === 'csv'
      ? `${cellsOf(message, form, parts.directory, local).map(csvCell).join(',')}\r\n`
      : `${JSON.stringify(objectOf(message, form, parts.directory))}\n`;
  if (form.format === 'csv') stream.write(`\uFEFF${columns.map(csvCell).join(',')}\r\n`);
  let { before } = search;
  for (let rows = 0; rows < exportLimits.rows && !parts.gone(); ) {
    const page = await parts.store.searchMessages({ ...search, before, limit: exportLimits.page });
    rows += page.messages.length;
    if (page.messages.length > 0 && !stream.write(page.messages.map(line).join(''))) await stream.drained();
    if (page.next === null) break;
    before = page.next;
  }
  stream.end();
}

function cellsOf(
  message: ListedMessage,
  form: ExportForm,
  directory: Directory,
  local: (ms: number) => string,
): string[] {
  const { from, to, direction, acceptedAt } = message;
  const { segments } = flatMessage(message);
  return [
    ...[isoTime(acceptedAt), local(acceptedAt), direction, spaced(from), from, spaced(to), to],
    form.hidesTexts ? `(${counted([...message.text].length, 'character')})` : message.text,
    ...[message.messageType, String(segments), message.state, message.code ?? '', message.carrierCode ?? ''],
    direction === 'outbound' ? keyNameOf(directory, message.keyId) : '',
    ...[message.referenceId, message.messageId, message.requestId],
  ];
}

function objectOf(listed: ListedMessage, form: ExportForm, directory: Directory) {
  const { text, mediaUrls, media, subject, data, keyId, ...message } = flatMessage(listed);
  return {
    ...message,
    ...(form.hidesTexts ? { text: null, textLength: [...text].length } : { text, mediaUrls, media, subject, data }),
    key: keyNameOf(directory, keyId),
    acceptedAt: isoTime(message.acceptedAt),
    updatedAt: isoTime(message.updatedAt),
  };
}

/** `1 202 555 0100`: no spreadsheet reads this as a number. */
export function spaced(digits: string): string {
  const nanp = /^1(\d{3})(\d{3})(\d{4})$/.exec(digits);
  if (nanp !== null) return `1 ${nanp.slice(1).join(' ')}`;
  return digits.length <= 6 ? digits : digits.replace(/(\d{3})(?=\d)/g, '$1 ');
}
