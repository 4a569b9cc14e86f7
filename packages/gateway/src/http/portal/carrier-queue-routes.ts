/** What waits for a carrier and another carrier for it, and what carriers refused; for operators. */
import { counted } from '../../domain/counted.ts';
import type { CarrierQueueService } from '../../flow/operator/carrier-queue.ts';
import type { Store } from '../../store/store.ts';
import { isoTime } from '../envelope.ts';
import { rejection, success } from '../exchange.ts';
import { param } from '../guard.ts';
import { refusalAnswer } from './answers.ts';
import { readForm, required } from './forms.ts';
import type { PortalModule } from './portal.ts';

const errorsMax = 200;

export function carrierQueueRoutes(queue: CarrierQueueService, store: Pick<Store, 'carrierErrors'>): PortalModule {
  return (routes) => {
    routes.get('/carriers/errors', 'operator', async () => {
      const { errors, looked, since } = await store.carrierErrors(errorsMax);
      return success(`${counted(errors.length, 'kind')} of refusals among the newest ${counted(looked, 'event')}.`, {
        looked,
        since: since === null ? null : isoTime(since),
        errors: errors.map((one) => ({ ...one, lastAt: isoTime(one.lastAt) })),
      });
    });

    routes.get('/carriers/:carrierId/backups', 'operator', async (call) => {
      const found = await queue.backups(param(call, 'carrierId'));
      if (found === null) return rejection('NOT_FOUND', 'There is no carrier with this id.');
      return success(`${counted(found.looked, 'message waits', 'messages wait')}.`, found);
    });

    routes.post('/carriers/:carrierId/send-via', 'operator', async (call) => {
      const { audit, body } = call;
      const read = readForm(body, { to: required });
      if (!read.ok) return read.answer;
      const { to } = read.form;
      const sent = await queue.sendVia(param(call, 'carrierId'), to, async (told) => {
        await audit(told);
      });
      if (sent.kind !== 'done') return refusalAnswer(sent);
      const { moved, left } = sent;
      const waits = moved === 1 ? '1 message waits' : `${moved} messages wait`;
      return success(`${waits} for ${to} now.`, { moved, left });
    });
  };
}
