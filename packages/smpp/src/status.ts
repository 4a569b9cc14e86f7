/**
 * command_status: the closed table of codes a peer may answer with, and the class of each. A carrier profile may
 * override a class; this table never changes at run time. Source: SMPP 3.4 issue 1.2 §5.1.3, SMPP 5.0 §4.7.6.
 */

/**
 * ok: accepted. throttle: slow the session down, retry the same message. temporary: retry with backoff. permanent: this
 * message will never be accepted. session: stop sending on this bind (wrong bind, password, configuration).
 */
export type StatusClass = 'ok' | 'throttle' | 'temporary' | 'permanent' | 'session';

const rows = [
  [0x00, 'ESME_ROK', 'ok'],
  [0x01, 'ESME_RINVMSGLEN', 'permanent'],
  [0x02, 'ESME_RINVCMDLEN', 'permanent'],
  [0x03, 'ESME_RINVCMDID', 'permanent'],
  [0x04, 'ESME_RINVBNDSTS', 'session'],
  [0x05, 'ESME_RALYBND', 'session'],
  [0x06, 'ESME_RINVPRTFLG', 'permanent'],
  [0x07, 'ESME_RINVREGDLVFLG', 'permanent'],
  [0x08, 'ESME_RSYSERR', 'temporary'],
  [0x0a, 'ESME_RINVSRCADR', 'permanent'],
  [0x0b, 'ESME_RINVDSTADR', 'permanent'],
  [0x0c, 'ESME_RINVMSGID', 'permanent'],
  [0x0d, 'ESME_RBINDFAIL', 'session'],
  [0x0e, 'ESME_RINVPASWD', 'session'],
  [0x0f, 'ESME_RINVSYSID', 'session'],
  [0x11, 'ESME_RCANCELFAIL', 'permanent'],
  [0x13, 'ESME_RREPLACEFAIL', 'permanent'],
  [0x14, 'ESME_RMSGQFUL', 'throttle'],
  [0x15, 'ESME_RINVSERTYP', 'permanent'],
  [0x33, 'ESME_RINVNUMDESTS', 'permanent'],
  [0x34, 'ESME_RINVDLNAME', 'permanent'],
  [0x40, 'ESME_RINVDESTFLAG', 'permanent'],
  [0x42, 'ESME_RINVSUBREP', 'permanent'],
  [0x43, 'ESME_RINVESMCLASS', 'permanent'],
  [0x44, 'ESME_RCNTSUBDL', 'permanent'],
  [0x45, 'ESME_RSUBMITFAIL', 'temporary'],
  [0x48, 'ESME_RINVSRCTON', 'permanent'],
  [0x49, 'ESME_RINVSRCNPI', 'permanent'],
  [0x50, 'ESME_RINVDSTTON', 'permanent'],
  [0x51, 'ESME_RINVDSTNPI', 'permanent'],
  [0x53, 'ESME_RINVSYSTYP', 'session'],
  [0x54, 'ESME_RINVREPFLAG', 'permanent'],
  [0x55, 'ESME_RINVNUMMSGS', 'permanent'],
  [0x58, 'ESME_RTHROTTLED', 'throttle'],
  [0x61, 'ESME_RINVSCHED', 'permanent'],
  [0x62, 'ESME_RINVEXPIRY', 'permanent'],
  [0x63, 'ESME_RINVDFTMSGID', 'permanent'],
  [0x64, 'ESME_RX_T_APPN', 'temporary'],
  [0x65, 'ESME_RX_P_APPN', 'permanent'],
  [0x66, 'ESME_RX_R_APPN', 'permanent'],
  [0x67, 'ESME_RQUERYFAIL', 'permanent'],
  [0xc0, 'ESME_RINVOPTPARSTREAM', 'permanent'],
  [0xc1, 'ESME_ROPTPARNOTALLWD', 'permanent'],
  [0xc2, 'ESME_RINVPARLEN', 'permanent'],
  [0xc3, 'ESME_RMISSINGOPTPARAM', 'permanent'],
  [0xc4, 'ESME_RINVOPTPARAMVAL', 'permanent'],
  [0xfe, 'ESME_RDELIVERYFAILURE', 'permanent'],
  [0xff, 'ESME_RUNKNOWNERR', 'temporary'],
  [0x100, 'ESME_RSERTYPUNAUTH', 'permanent'],
  [0x101, 'ESME_RPROHIBITED', 'permanent'],
  [0x102, 'ESME_RSERTYPUNAVAIL', 'temporary'],
  [0x103, 'ESME_RSERTYPDENIED', 'permanent'],
  [0x104, 'ESME_RINVDCS', 'permanent'],
  [0x105, 'ESME_RINVSRCADDRSUBUNIT', 'permanent'],
  [0x106, 'ESME_RINVDSTADDRSUBUNIT', 'permanent'],
  [0x107, 'ESME_RINVBCASTFREQINT', 'permanent'],
  [0x108, 'ESME_RINVBCASTALIAS_NAME', 'permanent'],
  [0x109, 'ESME_RINVBCASTAREAFMT', 'permanent'],
  [0x10a, 'ESME_RINVNUMBCAST_AREAS', 'permanent'],
  [0x10b, 'ESME_RINVBCASTCNTTYPE', 'permanent'],
  [0x10c, 'ESME_RINVBCASTMSGCLASS', 'permanent'],
  [0x10d, 'ESME_RBCASTFAIL', 'permanent'],
  [0x10e, 'ESME_RBCASTQUERYFAIL', 'permanent'],
  [0x10f, 'ESME_RBCASTCANCELFAIL', 'permanent'],
  [0x110, 'ESME_RINVBCAST_REP', 'permanent'],
  [0x111, 'ESME_RINVBCASTSRVGRP', 'permanent'],
  [0x112, 'ESME_RINVBCASTCHANIND', 'permanent'],
] as const satisfies readonly (readonly [number, string, StatusClass])[];

/** The standard's name of a command_status, such as ESME_RTHROTTLED. */
export type StatusName = (typeof rows)[number][1];

const byCode: ReadonlyMap<number, { name: StatusName; class: StatusClass }> = new Map(
  rows.map(([code, name, statusClass]) => [code, { name, class: statusClass }]),
);

/** Codes by name: `status.ESME_RTHROTTLED === 0x58`. */
export const status = Object.freeze(Object.fromEntries(rows.map(([code, name]) => [name, code]))) as Readonly<
  Record<StatusName, number>
>;

/** The standard's name, or `0x00000400` style hex for a vendor's code. */
export const statusName = (code: number): string => byCode.get(code)?.name ?? `0x${code.toString(16).padStart(8, '0')}`;

/**
 * How to react to a code. Codes outside the table, including vendors' 0x400-0x4FF, are permanent unless a carrier
 * profile overrides them.
 */
export const statusClass = (code: number): StatusClass => byCode.get(code)?.class ?? 'permanent';
