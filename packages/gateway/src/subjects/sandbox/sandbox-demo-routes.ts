/** `/api/v1/sandbox/demo`: shows, adds and removes generated traffic. Only for sandbox key pairs. */
import { isoTime } from '../../http/envelope.ts';
import { type Answer, rejection, success } from '../../http/exchange.ts';
import { busy } from '../../http/long-poll.ts';
import { notSandbox } from '../../http/openapi-parts.ts';
import { answers, ownBody } from '../../http/route.ts';
import type { RouteModule } from '../../http/server.ts';
import { object, orNull, type TypeOf, whole } from '../../http/shape.ts';
import { counted } from '../../kernel/counted.ts';
import type { DemoData, DemoRefusal, DemoService } from './demo-service.ts';
import { sandboxCallers } from './sandbox-caller.ts';
import { demoTraffic } from './sandbox-shapes.ts';

const path = '/api/v1/sandbox/demo';

export function sandboxDemoRoutes(service: DemoService): RouteModule {
  return (_app, { guarded, directory }) => {
    const { admits } = sandboxCallers(directory);

    guarded.add({
      method: 'GET',
      path,
      scope: 'read',
      operationId: 'getDemoTraffic',
      summary: 'Whether this company has demo traffic',
      notFound: notSandbox,
      admits,
      answer: answers(orNull(demoTraffic), 'What there is of it; null when there is none'),
      work: async ({ caller: { account } }) => {
        const there = await service.data(account.accountId);
        return success(there === null ? 'There is no demo traffic.' : 'There is demo traffic.', shownDemo(there));
      },
    });
    guarded.add({
      method: 'POST',
      path,
      scope: 'admin',
      people: { audit: 'demo.made' },
      operationId: 'seedDemoTraffic',
      summary: 'Create 30 days of made-up traffic, for screenshots and charts; none of it is sent, reported or billed',
      notFound: notSandbox,
      admits,
      body: ownBody(null, { optional: true }),
      answer: answers(demoTraffic, 'What was made up'),
      work: async ({ caller: { account } }) => {
        const made = await service.seed(account);
        if (typeof made === 'string') return refusals[made];
        return success(
          `${counted(made.messages, 'message')} of demo traffic ${made.messages === 1 ? 'was' : 'were'} made up.`,
          shownDemo(made),
        );
      },
    });
    guarded.add({
      method: 'DELETE',
      path,
      scope: 'admin',
      people: { audit: 'demo.removed' },
      operationId: 'removeDemoTraffic',
      summary: 'Remove the made-up traffic',
      notFound: notSandbox,
      admits,
      answer: answers(object({ removed: whole() }), 'How many messages went'),
      work: async ({ caller: { account } }) => {
        const removed = await service.remove(account.accountId);
        if (removed === 'busy') return refusals.busy;
        return success(`${counted(removed, 'message')} of demo traffic ${removed === 1 ? 'was' : 'were'} removed.`, {
          removed,
        });
      },
    });
  };
}

const refusals: Readonly<Record<DemoRefusal, Answer<never>>> = {
  'live numbers': rejection(
    'INVALID_REQUEST',
    'This company has live numbers: demo traffic would mix with real traffic. Nothing was changed.',
  ),
  'no number': rejection('SENDER_NOT_ENABLED', 'No sandbox number of this company can send. Enable one under Numbers.'),
  'there already': rejection('INVALID_REQUEST', 'There is demo traffic already. Remove it first. Nothing was changed.'),
  busy: busy('Demo traffic is being created or removed at this moment.'),
};

export function shownDemo(there: DemoData): TypeOf<typeof demoTraffic>;
export function shownDemo(there: DemoData | null): TypeOf<typeof demoTraffic> | null;
export function shownDemo(there: DemoData | null): TypeOf<typeof demoTraffic> | null {
  if (there === null) return null;
  return { messages: there.messages, from: isoTime(there.from), until: isoTime(there.until) };
}
