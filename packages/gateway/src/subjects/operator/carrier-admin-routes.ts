/**
 * `/carriers`, for operators: live figures, records without secrets, kinds and their settings, connection test, pause,
 * PDU log.
 */
import type { CarrierKind } from '../../carriers/kind.ts';
import { carrierKinds } from '../../carriers/kinds.ts';
import { formField } from '../../carriers/setting.ts';
import { isoTime } from '../../http/envelope.ts';
import { rejection, success } from '../../http/exchange.ts';
import { param } from '../../http/guard.ts';
import { flag, form, optionalWhole } from '../../http/portal/forms.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import { fresh } from '../../http/portal/portal-guard.ts';
import { answers, ownBody } from '../../http/route.ts';
import { flag as flagShape, list, named, object, orNull, plain, time } from '../../http/shape.ts';
import type { EpochMs } from '../../kernel/clock.ts';
import { counted } from '../../kernel/counted.ts';
import { daysLeft, type PeerCertificate } from '../../model/peer-certificate.ts';
import { carrierKindShown, carrierShown, connectionTested, pduEntry } from './carrier-admin-shapes.ts';
import type { CarrierService, CarrierView } from './carrier-service.ts';
import { notEdited, recordBody, recordForm } from './operator-forms.ts';

const logMinutesMax = 30;

export function carrierAdminRoutes(carriers: CarrierService): PortalModule {
  return (routes, { clock }) => {
    const shown = (view: CarrierView) => shownCarrier(view, clock.now());

    routes.add({
      method: 'GET',
      path: '/carriers',
      access: 'operator',
      answer: answers(list(carrierShown), 'All of them'),
      work: async () => {
        const list = await carriers.list();
        return success(`${counted(list.length, 'carrier')}.`, list.map(shown));
      },
    });

    routes.add({
      method: 'GET',
      path: '/carriers/kinds',
      access: 'operator',
      answer: answers(list(carrierKindShown), 'What is known of each kind, for the form of a carrier'),
      work: () => success(`${counted(carrierKinds.length, 'kind')} of carrier.`, carrierKinds.map(shownKind)),
    });

    routes.add({
      method: 'GET',
      path: '/carriers/:carrierId',
      access: 'operator',
      answer: answers(carrierShown, 'The carrier as it is now'),
      work: async (call) => {
        const found = await carriers.look(param(call, 'carrierId'));
        return found === null ? noCarrier : success('The carrier as it is now.', shown(found));
      },
    });

    routes.add({
      method: 'POST',
      path: '/carriers',
      access: fresh('operator'),
      body: recordForm,
      answer: answers(savedCarrier, 'Which one'),
      work: async ({ body, person }) => {
        const read = recordBody(body);
        if (!read.ok) return read.answer;
        const saved = await carriers.save(person, { carrierId: null, version: '', form: read.form });
        return saved.kind === 'done' ? success('The carrier is added.', saved.result) : notEdited(saved);
      },
    });

    routes.add({
      method: 'POST',
      path: '/carriers/test',
      access: fresh('operator'),
      body: recordForm,
      answer: answers(connectionTested, 'What came of each step'),
      work: async ({ body }) => {
        const read = recordBody(body);
        if (!read.ok) return read.answer;
        const tested = await carriers.test(read.form);
        if (tested.kind !== 'done') return notEdited(tested);
        const ok = tested.steps.every((step) => step.ok);
        const detail = ok ? 'It works. No message was sent.' : 'It does not work yet. No message was sent.';
        return success(detail, { ok, steps: tested.steps });
      },
    });

    routes.add({
      method: 'POST',
      path: '/carriers/:carrierId',
      access: fresh('operator'),
      body: recordForm,
      answer: answers(savedCarrier, 'Which one'),
      work: async (call) => {
        const { body, person } = call;
        const read = recordBody(body);
        if (!read.ok) return read.answer;
        const { form, version } = read;
        const saved = await carriers.save(person, { carrierId: param(call, 'carrierId'), version, form });
        return saved.kind === 'done' ? success('The carrier is changed.', saved.result) : notEdited(saved);
      },
    });

    routes.add({
      method: 'POST',
      path: '/carriers/:carrierId/pause',
      access: 'operator',
      audit: ['carrier.paused', 'carrier.resumed'],
      body: form({ paused: { ...flag, optional: false } }),
      answer: answers(object({ paused: flagShape() }), 'Whether it is paused now'),
      work: async (call) => {
        const { audit, body } = call;
        const { paused } = body;
        const carrierId = param(call, 'carrierId');
        if (!(await carriers.pause(carrierId, paused))) return noCarrier;
        await audit({ what: paused ? 'carrier.paused' : 'carrier.resumed', target: carrierId });
        return success(paused ? 'It gets no more messages; waiting messages stay.' : 'It sends again.', { paused });
      },
    });

    routes.add({
      method: 'POST',
      path: '/carriers/:carrierId/retry',
      access: 'operator',
      audit: ['carrier.retried'],
      body: ownBody(null, { optional: true }),
      answer: answers(object({}), 'It is tried now'),
      work: async (call) => {
        const { audit } = call;
        const carrierId = param(call, 'carrierId');
        if (!carriers.retry(carrierId)) return noLink;
        await audit({ what: 'carrier.retried', target: carrierId });
        return success('It is tried now.', {});
      },
    });

    addLog(routes, carriers);
  };
}

/** The stored record, and warnings about it. */
const savedCarrier = named('SavedCarrier', object({ carrierId: plain(), warnings: list(plain()) }));

const pduLog = named('PduLog', object({ until: orNull(time), entries: list(pduEntry) }));

function addLog(routes: Parameters<PortalModule>[0], carriers: CarrierService): void {
  const shown = ({ until, entries }: NonNullable<ReturnType<CarrierService['log']>>) => ({
    until: isoOrNull(until),
    entries: entries.map((entry) => ({ ...entry, at: isoTime(entry.at) })),
  });

  routes.add({
    method: 'GET',
    path: '/carriers/:carrierId/log',
    access: 'operator',
    answer: answers(pduLog, 'PDUs, oldest first'),
    work: (call) => {
      const log = carriers.log(param(call, 'carrierId'));
      return log === null ? noLog : success(`${log.entries.length} PDUs, oldest first.`, shown(log));
    },
  });

  routes.add({
    method: 'POST',
    path: '/carriers/:carrierId/log',
    access: 'operator',
    audit: ['carrier.log'],
    body: form({ minutes: { ...optionalWhole(0, logMinutesMax), optional: false } }),
    answer: answers(pduLog, 'As it is kept from now on'),
    work: async (call) => {
      const { audit, body } = call;
      const { minutes } = body;
      const carrierId = param(call, 'carrierId');
      const log = carriers.keepLog(carrierId, minutes);
      if (log === null) return noLog;
      await audit({ what: 'carrier.log', target: carrierId, after: { minutes } });
      return success(
        minutes === 0 ? 'The log is off.' : `PDUs are kept for ${counted(minutes, 'minute')}.`,
        shown(log),
      );
    },
  });
}

/** The kind with its settings, for the form of a carrier. */
function shownKind({ name, title, carries, takes, settings }: CarrierKind) {
  return { name, title, carries, takes, fields: settings.map(formField) };
}

function shownCarrier(view: CarrierView, now: EpochMs) {
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
) {
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

function certificateAnswer(certificate: PeerCertificate, now: EpochMs) {
  const { validFrom, validTo } = certificate;
  return {
    ...certificate,
    validFrom: isoTime(validFrom),
    validTo: isoTime(validTo),
    // Null while no warning is due.
    daysLeft: daysLeft(certificate, now),
  };
}

function isoOrNull(at: number | null): string | null {
  return at === null ? null : isoTime(at);
}

const noCarrier = rejection('NOT_FOUND', 'There is no carrier with this id.');
const noLink = rejection('NOT_FOUND', 'This carrier is not running, or has no permanent connection to try.');
const noLog = rejection('NOT_FOUND', 'This carrier is not running, or keeps no log of PDUs.');
