/** Maps PostgreSQL and connection errors to errors of the store. Pure. */
import { isAboutCertificate } from '../kernel/tls-fault.ts';
import { StoreBroken, StoreRefused, StoreUnavailable } from './faults.ts';

/** Codes of https://www.postgresql.org/docs/current/errcodes-appendix.html, by code or by class. */
const retryable = new Set(['40001', '40P01']);
const full = new Set(['53100']);
const busy = new Set(['53200', '53300', '53400', '55P03', '57014']);
const corrupted = new Set(['XX001', 'XX002']);
const downClasses = new Set(['08', '57', '58']);
/** Time-outs after which the server ends the whole session, as for a gateway paused in a transaction. */
const sessionEnded = new Set(['25P03', '25P04']);
const readOnly = '25006';
/** Login and database faults: another try would change nothing. */
const refusedClasses = new Set(['28', '3D']);
/** Errors of a statement, unless the server ends the session with one: a right or an option that no session opens with. */
const statementClasses = new Set(['22', '42']);

/** The error of `pg` for a server without TLS when the URL requires it. */
const noTls = /does not support SSL connections/;

/** The error of the pool when no session came free in time. */
const noSession = /timeout exceeded when trying to connect/;

/** True when another transaction was in the way and the same one may be tried again. */
export function isConflict(error: unknown): boolean {
  return retryable.has(codeOf(error));
}

/** The transaction waited too long for a lock or for the server; a later try may succeed. */
export const isBusy = (error: unknown): boolean => busy.has(codeOf(error)) || isConflict(error);

export function meaning(error: unknown): unknown {
  if (error instanceof StoreUnavailable || error instanceof StoreRefused || error instanceof StoreBroken) return error;
  const code = codeOf(error);
  const text = `PostgreSQL: ${error instanceof Error ? error.message : String(error)} (${code || 'no SQLSTATE'})`;
  const refusal = refusedConnection(error);
  if (refusal !== null) return new StoreRefused(refusal);
  if (noSession.test(text)) return new StoreUnavailable('busy', text);
  if (full.has(code)) return new StoreUnavailable('full', text);
  if (isBusy(error)) return new StoreUnavailable('busy', text);
  if (corrupted.has(code)) return new StoreBroken(text);
  if (refusedClasses.has(code.slice(0, 2)) || isNotOpened(error)) return new StoreRefused(text);
  if (code === readOnly || downClasses.has(code.slice(0, 2)) || isConnectionLoss(error)) {
    return new StoreUnavailable('down', text);
  }
  // The server's `detail` shows the row at fault, with texts and numbers, so it must not be passed on.
  return code === '' ? error : new Error(text);
}

function isNotOpened(error: unknown): boolean {
  return (error as { severity?: unknown })?.severity === 'FATAL' && statementClasses.has(codeOf(error).slice(0, 2));
}

/** Why no session can be opened as HELIO_DATABASE_URL requires, as a sentence; null for other errors. */
function refusedConnection(error: unknown): string | null {
  const { code, syscall, message } = (error ?? {}) as NodeJS.ErrnoException;
  // The driver leaves a lone % as it is, but not one before the hex digits of what is no UTF-8.
  if (error instanceof URIError) {
    return 'HELIO_DATABASE_URL holds a % that cannot be read: write the % of a password or name as %25.';
  }
  if (isAboutCertificate(code ?? null) && codeOf(error) === '') {
    return `PostgreSQL shows a certificate that does not count here: ${message} (${code}). Look at sslrootcert and at the host name in HELIO_DATABASE_URL.`;
  }
  if (noTls.test(message ?? '')) {
    return 'The PostgreSQL server takes no TLS connections, and HELIO_DATABASE_URL asks for one (sslmode). Set ssl = on there.';
  }
  if (syscall === 'open') return `A file that HELIO_DATABASE_URL names cannot be read: ${message}.`;
  return null;
}

/** The session is gone or can no longer be trusted: the server reported it, the socket failed, or `pg` gave up. */
export function isConnectionLoss(error: unknown): boolean {
  const state = codeOf(error);
  if (state !== '') return state.startsWith('57P') || state.startsWith('08') || sessionEnded.has(state);
  const { code, message } = error as { code?: string; message?: string };
  if (code !== undefined) return /^E(?!RR_)[A-Z]+$/.test(code);
  return /connection|timeout|not queryable|client was closed|terminated/i.test(message ?? '');
}

/** True for an error that the server sent: it has rolled back. */
export function isServerError(error: unknown): boolean {
  return codeOf(error) !== '' && !isConnectionLoss(error);
}

/** The SQLSTATE the server sent; '' for errors that are not the server's. */
function codeOf(error: unknown): string {
  const { code, severity } = (error ?? {}) as { code?: unknown; severity?: unknown };
  return typeof code === 'string' && severity !== undefined ? code : '';
}
