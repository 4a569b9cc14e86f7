/**
 * `/carriers`, for operators: every carrier with its live figures, its record without secrets, the kinds with their
 * settings, adding and changing, trying a connection, pausing, the PDU log. Decides nothing itself: the carrier service does.
 */

import type { CarrierKind } from '../../carriers/kind.ts';
import { carrierKinds } from '../../carriers/kinds.ts';
import { formField } from '../../carriers/setting.ts';
import type { EpochMs } from '../../domain/clock.ts';
import { counted } from '../../domain/counted.ts';
import { daysLeft, type PeerCertificate } from '../../domain/peer-certificate.ts';
import type { CarrierService, CarrierView } from '../../flow/operator/carrier-service.ts';
import { isoTime } from '../envelope.ts';
import { rejection, success } from '../exchange.ts';
import { param } from '../guard.ts';
import { flag, optionalWhole, readForm } from './forms.ts';
import { notEdited, recordBody } from './operator-forms.ts';
import type { PortalModule } from './portal.ts';
import { fresh } from './portal-guard.ts';

const logMinutesMax = 30;

export function carrierAdminRoutes(carriers: CarrierService): PortalModule {
  return (routes, { clock }) => {
    const shown = (view: CarrierView) => shownCarrier(view, clock.now());

    routes.get('/carriers', 'operator', async () => {
      const list = await carriers.list();
      return success(`${counted(list.length, 'carrier')}.`, list.map(shown));
    });

    routes.get('/carriers/kinds', 'operator', () =>
      success(`${counted(carrierKinds.length, 'kind')} of carrier.`, carrierKinds.map(shownKind)),
    );

    routes.get('/carriers/:carrierId', 'operator', async (call) => {
      const found = await carriers.look(param(call, 'carrierId'));
      return found === null ? noCarrier : success('The carrier as it is now.', shown(found));
    });

    routes.post('/carriers', fresh('operator'), async ({ body, person }) => {
      const read = recordBody(body);
      if (!read.ok) return read.answer;
      const saved = await carriers.save(person, { carrierId: null, version: '', form: read.form });
      return saved.kind === 'done' ? success('The carrier is added.', saved.result) : notEdited(saved);
    });

    routes.post('/carriers/test', fresh('operator'), async ({ body }) => {
      const read = recordBody(body);
      if (!read.ok) return read.answer;
      const tested = await carriers.test(read.form);
      if (tested.kind !== 'done') return notEdited(tested);
      const ok = tested.steps.every((step) => step.ok);
      const detail = ok ? 'It works. No message was sent.' : 'It does not work yet. No message was sent.';
      return success(detail, { ok, steps: tested.steps });
    });

    routes.post('/carriers/:carrierId', fresh('operator'), async (call) => {
      const { body, person } = call;
      const read = recordBody(body);
      if (!read.ok) return read.answer;
      const { form, version } = read;
      const saved = await carriers.save(person, { carrierId: param(call, 'carrierId'), version, form });
      return saved.kind === 'done' ? success('The carrier is changed.', saved.result) : notEdited(saved);
    });

    routes.post('/carriers/:carrierId/pause', 'operator', async (call) => {
      const { audit, body } = call;
      const read = readForm(body ?? {}, { paused: { ...flag, optional: false } });
      if (!read.ok) return read.answer;
      const { paused } = read.form;
      const carrierId = param(call, 'carrierId');
      if (!(await carriers.pause(carrierId, paused))) return noCarrier;
      await audit({ what: paused ? 'carrier.paused' : 'carrier.resumed', target: carrierId });
      return success(paused ? 'Nothing more is handed to it; what waits stays.' : 'It goes on.', { paused });
    });

    routes.act('/carriers/:carrierId/retry', 'operator', async (call) => {
      const { audit } = call;
      const carrierId = param(call, 'carrierId');
      if (!carriers.retry(carrierId)) return noLink;
      await audit({ what: 'carrier.retried', target: carrierId });
      return success('It is tried now.', {});
    });

    addLog(routes, carriers);
  };
}

function addLog(routes: Parameters<PortalModule>[0], carriers: CarrierService): void {
  const shown = ({ until, entries }: NonNullable<ReturnType<CarrierService['log']>>) => ({
    until: isoOrNull(until),
    entries: entries.map((entry) => ({ ...entry, at: isoTime(entry.at) })),
  });

  routes.get('/carriers/:carrierId/log', 'operator', (call) => {
    const log = carriers.log(param(call, 'carrierId'));
    return log === null ? noLog : success(`${log.entries.length} PDUs, oldest first.`, shown(log));
  });

  routes.post('/carriers/:carrierId/log', 'operator', async (call) => {
    const { audit, body } = call;
    const read = readForm(body ?? {}, { minutes: { ...optionalWhole(0, logMinutesMax), optional: false } });
    if (!read.ok) return read.answer;
    const { minutes } = read.form;
    const carrierId = param(call, 'carrierId');
    const log = carriers.keepLog(carrierId, minutes);
    if (log === null) return noLog;
    await audit({ what: 'carrier.log', target: carrierId, after: { minutes } });
    return success(minutes === 0 ? 'The log is off.' : `PDUs are kept for ${counted(minutes, 'minute')}.`, shown(log));
  });
}

/** The kind with its settings, as the form of a carrier draws them. */
function shownKind({ name, title, carries, takes, settings }: CarrierKind): object {
  return { name, title, carries, takes, fields: settings.map(formField) };
}

function shownCarrier(view: CarrierView, now: EpochMs): object {
  const { live, queue, log, ...rest } = view;
  return {
    ...rest,
    live: live === null ? null : { ...live, since: isoTime(live.since), status: shownStatus(live.status, now) },
    queue: { waiting: queue.waiting, oldestAt: isoOrNull(queue.oldestAt) },
    log: log === null ? null : { until: isoOrNull(log.until) },
  };
}

function shownStatus(
  { binds, certificate = null, refusedCertificate = null, ...status }: NonNullable<CarrierView['live']>['status'],
  now: EpochMs,
): object {
  return {
    ...status,
    binds: binds.map((bind) => ({
      ...bind,
      kind: bind.kind ?? null,
      since: isoOrNull(bind.since ?? null),
      heardAt: isoOrNull(bind.heardAt ?? null),
      enquireLinkAt: isoOrNull(bind.enquireLinkAt ?? null),
    })),
    certificate: certificate && certificateAnswer(certificate, now),
    refusedCertificate: refusedCertificate && certificateAnswer(refusedCertificate, now),
  };
}

function certificateAnswer(certificate: PeerCertificate, now: EpochMs): object {
  const { validFrom, validTo } = certificate;
  return {
    ...certificate,
    validFrom: isoTime(validFrom),
    validTo: isoTime(validTo),
    // Null while nobody needs to be warned.
    daysLeft: daysLeft(certificate, now),
  };
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : isoTime(at);
}

const noCarrier = rejection('NOT_FOUND', 'There is no carrier with this id.');
const noLink = rejection('NOT_FOUND', 'This carrier is not running, or keeps no connection open that could be tried.');
const noLog = rejection('NOT_FOUND', 'This carrier is not running, or keeps no log of PDUs.');
