/** `/routes`, for operators: the routing rules in the order in which they are looked at, and where a message would go. */
import type { MessageKind } from '../../domain/records.ts';
import type { RouteDesk } from '../../flow/operator/route-desk.ts';
import { success } from '../exchange.ts';
import { fieldFaults } from './answers.ts';
import { readForm, required } from './forms.ts';
import { notEdited, recordBody } from './operator-forms.ts';
import type { PortalModule } from './portal.ts';

const kinds: readonly MessageKind[] = ['SMS', 'MMS'];

export function routingRoutes(rules: RouteDesk): PortalModule {
  return (routes) => {
    routes.get('/routes', 'operator', () => {
      const list = rules.list();
      return success(`${list.length} rules, in the order in which they are looked at.`, list);
    });

    routes.post('/routes', 'operator', async ({ body, person }) => {
      const read = recordBody(body);
      if (!read.ok) return read.answer;
      const saved = await rules.save(person, { routeId: null, version: '', form: read.form });
      return saved.kind === 'done' ? success('The rule is added.', saved.result) : notEdited(saved);
    });

    routes.post('/routes/test', 'operator', ({ body }) => {
      const read = readForm(body, { from: required, to: required, kind: { ...required, oneOf: kinds } });
      if (!read.ok) return read.answer;
      const { from, to, kind } = read.form;
      const faults = Object.entries({ from, to }).filter(([, digits]) => !/^[0-9]{1,15}$/.test(digits));
      if (faults.length > 0) {
        return fieldFaults(
          Object.fromEntries(faults.map(([field]) => [field, 'Write digits only, like 12025550100.'])),
        );
      }
      const tested = rules.test({ from, to, kind: kind as MessageKind });
      return success(tested.outcome, tested);
    });

    routes.post('/routes/:routeId', 'operator', async ({ body, params, person }) => {
      const read = recordBody(body);
      if (!read.ok) return read.answer;
      const { form, version } = read;
      const saved = await rules.save(person, { routeId: params.routeId!, version, form });
      return saved.kind === 'done' ? success('The rule is changed.', saved.result) : notEdited(saved);
    });

    routes.post('/routes/:routeId/move', 'operator', async ({ body, params, person }) => {
      const read = readForm(body, { way: { ...required, oneOf: ['up', 'down'] } });
      if (!read.ok) return read.answer;
      const moved = await rules.move(person, params.routeId!, read.form.way as 'up' | 'down');
      return moved.kind === 'done' ? success('The rule is moved.', rules.list()) : notEdited(moved);
    });

    routes.delete('/routes/:routeId', 'operator', async ({ params, person }) => {
      const dropped = await rules.drop(person, params.routeId!);
      return dropped.kind === 'done' ? success('The rule is removed.', {}) : notEdited(dropped);
    });
  };
}
