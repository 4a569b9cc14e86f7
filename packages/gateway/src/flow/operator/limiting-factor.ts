/** What keeps a carrier from sending more at this moment, in one sentence for people. Pure. */
import type { CarrierRecord } from '../../domain/records.ts';
import type { LaneReport } from '../lanes.ts';

/** A rate this near its limit is at it. */
const nearlyAll = 0.9;

export interface Held {
  record: CarrierRecord;
  report: LaneReport | null;
  paused: boolean;
  queued: number;
}

export function limitingFactor({ record, report, paused, queued }: Held): string {
  if (!record.enabled) return 'It is switched off: nothing is sent over it.';
  if (paused) return 'It is paused by a person: what is addressed to it waits.';
  if (report === null) return 'It is just being opened.';
  if (!report.status.up) return `It is down: ${report.detail ?? 'not connected yet'}.`;
  const perSecond = perSecondOf(record);
  if (queued > 0 && perSecond > 0 && report.outPerSecond >= perSecond * nearlyAll) {
    return `Its own limit of ${perSecond} parts per second.`;
  }
  const room = report.status.binds.reduce((sum, bind) => sum + bind.window, 0);
  const used = report.status.binds.reduce((sum, bind) => sum + bind.inFlight, 0);
  if (room > 0 && used >= room * nearlyAll) {
    return `Its window: ${used} of ${room} requests wait for the carrier's answer.`;
  }
  return queued > 0
    ? 'Nothing here: what waits is not due yet, or is just being handed over.'
    : 'Nothing: it has room.';
}

function perSecondOf(record: CarrierRecord): number {
  switch (record.kind) {
    case 'smpp':
      return record.smpp.messagesPerSecond;
    case 'mm7':
      return record.mm7.messagesPerSecond;
    case 'mm4':
      return record.mm4.messagesPerSecond;
  }
}
