/** For operators: a carrier's waiting messages, sending them through another carrier, and recent refusals. */

import { isoTime } from '../../http/envelope.ts';
import { rejection, success } from '../../http/exchange.ts';
import { param } from '../../http/guard.ts';
import { refusalAnswer } from '../../http/portal/answers.ts';
import { form, required } from '../../http/portal/forms.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import { answers } from '../../http/route.ts';
import { flag, list, named, object, orNull, plain, time, whole } from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import type { MessageStore } from '../../messaging/store/modules/messages.ts';
import type { CarrierQueueService } from './carrier-queue.ts';

const carrierErrors = named(
  'CarrierErrors',
  object({
    looked: whole(),
    since: orNull(plain()),
    errors: list(
      object({
        carrier: plain(),
        state: plain(),
        code: orNull(plain()),
        carrierCode: orNull(plain()),
        count: whole(),
        lastAt: time,
      }),
    ),
  }),
);

const carrierBackups = named(
  'CarrierBackups',
  object({
    looked: whole(),
    isAll: flag(),
    backups: list(
      object({
        carrierId: plain(),
        name: plain(),
        up: flag(),
        paused: flag(),
        fits: whole(),
      }),
    ),
  }),
);

const errorsMax = 200;

export function carrierQueueRoutes(
  queue: CarrierQueueService,
  store: Pick<MessageStore, 'carrierErrors'>,
): PortalModule {
  return (routes) => {
    routes.add({
      method: 'GET',
      path: '/carriers/errors',
      access: 'operator',
      answer: answers(carrierErrors, 'Refusals by code, of the newest events'),
      work: async () => {
        const { errors, looked, since } = await store.carrierErrors(errorsMax);
        return success(`${counted(errors.length, 'kind')} of refusals among the newest ${counted(looked, 'event')}.`, {
          looked,
          since: since === null ? null : isoTime(since),
          errors: errors.map((one) => ({ ...one, lastAt: isoTime(one.lastAt) })),
        });
      },
    });

    routes.add({
      method: 'GET',
      path: '/carriers/:carrierId/backups',
      access: 'operator',
      answer: answers(carrierBackups, 'Where its messages could go'),
      work: async (call) => {
        const found = await queue.backups(param(call, 'carrierId'));
        if (found === null) return rejection('NOT_FOUND', 'There is no carrier with this id.');
        return success(`${counted(found.looked, 'message waits', 'messages wait')}.`, found);
      },
    });

    routes.add({
      method: 'POST',
      path: '/carriers/:carrierId/send-via',
      access: 'operator',
      body: form({ to: required }),
      answer: answers(object({ moved: whole(), left: whole() }), 'How many go there, and how many stay'),
      work: async (call) => {
        const { audit, body } = call;
        const { to } = body;
        const sent = await queue.sendVia(param(call, 'carrierId'), to, async (note) => {
          await audit(note);
        });
        if (sent.kind !== 'done') return refusalAnswer(sent);
        const { moved, left } = sent;
        const waits = moved === 1 ? '1 message waits' : `${moved} messages wait`;
        return success(`${waits} for ${to} now.`, { moved, left });
      },
    });
  };
}
