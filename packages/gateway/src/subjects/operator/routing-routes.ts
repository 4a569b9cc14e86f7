/** `/routes`, for operators: routing rules, the route test, and drafts: order, test, publish, history. */
import { isoTime } from '../../http/envelope.ts';
import { type Answer, success } from '../../http/exchange.ts';
import { fieldFaults, refusalAnswer } from '../../http/portal/answers.ts';
import { lateForm, ownField, readForm, required } from '../../http/portal/forms.ts';
import type { PortalModule } from '../../http/portal/portal.ts';
import { answers } from '../../http/route.ts';
import { list } from '../../http/shape.ts';
import type { EpochMs } from '../../kernel/clock.ts';
import { counted } from '../../kernel/counted.ts';
import type { MessageKind } from '../../model/records.ts';
import { type LocalTime, weekdays } from '../../model/route-hours.ts';
import { notEdited } from './operator-forms.ts';
import type { Form } from './records-service.ts';
import type { DraftMove, RouteDraftService } from './route-draft.ts';
import type { RouteService } from './route-service.ts';
import { routingRule, ruleCampaign, ruleImpact, ruleTest, ruleVersion } from './routing-shapes.ts';

const kinds: readonly MessageKind[] = ['SMS', 'MMS'];

const testFields = { from: required, to: required, kind: { ...required, oneOf: kinds } } as const;

export function routingRoutes(rules: RouteService, drafts: RouteDraftService): PortalModule {
  return (routes, { clock, directory }) => {
    routes.add({
      method: 'GET',
      path: '/routes',
      access: 'operator',
      answer: answers(list(routingRule), 'The rules in their order'),
      work: () => {
        const list = rules.list();
        return success(`${counted(list.length, 'rule')}, in the order in which they are looked at.`, list);
      },
    });

    routes.add({
      method: 'POST',
      path: '/routes/test',
      access: 'operator',
      body: lateForm({ ...testFields, when: ownField }),
      answer: answers(ruleTest, 'Which rule such a message would take'),
      work: ({ body }) => {
        const { when = null, ...form } = (body ?? {}) as { when?: unknown };
        const read = readForm(form, testFields);
        if (!read.ok) return read.answer;
        const { from, to, kind } = read.form;
        const faults = Object.entries({ from, to }).filter(([, digits]) => !/^[0-9]{1,15}$/.test(digits));
        if (faults.length > 0) {
          return fieldFaults(
            Object.fromEntries(faults.map(([field]) => [field, 'Write digits only, like 12025550100.'])),
          );
        }
        const at = whenOf(when, clock.now());
        if (at === null) return fieldFaults({ when: 'Give a day (mon to sun) and a time of day like 08:00.' });
        const tested = rules.test({ from, to, kind: kind as MessageKind, at });
        return success(tested.outcome, tested);
      },
    });

    routes.add({
      method: 'GET',
      path: '/routes/campaigns',
      access: 'operator',
      answer: answers(list(ruleCampaign), 'Campaigns that a rule may name'),
      work: () => {
        const { campaigns } = directory().records;
        const list = campaigns.map(({ campaignId, name, environment, accountId }) => ({
          campaignId,
          name,
          environment,
          company: directory().account(accountId)?.name ?? accountId,
        }));
        return success(`${counted(list.length, 'campaign')} of all companies, for rules that ask for one.`, list);
      },
    });

    routes.add({
      method: 'GET',
      path: '/routes/history',
      access: 'operator',
      answer: answers(list(ruleVersion), 'Published versions, the newest first'),
      work: async () => {
        const list = await drafts.history();
        const shown = list.map((one) => ({ ...one, at: isoTime(one.at) }));
        return success(`${counted(list.length, 'version')}, the newest first.`, shown);
      },
    });

    routes.add({
      method: 'POST',
      path: '/routes/draft',
      access: 'operator',
      body: lateForm({ routes: ownField, move: ownField }),
      answer: answers(list(routingRule), 'The rules as the draft has them'),
      work: ({ body }) => {
        const read = draftBody(body, { move: ownField });
        if (!read.ok) return read.answer;
        const { move } = read.more;
        if (move !== undefined && !isMove(move)) {
          return fieldFaults({
            move: 'Give the rule ("routeId") and the move: up or down, or before or after another rule.',
          });
        }
        const drafted = drafts.draft(read.forms, move ?? null);
        if (drafted.kind !== 'done') return refusalAnswer(drafted);
        return success(`${counted(drafted.rules.length, 'rule')}. Nothing is published.`, drafted.rules);
      },
    });

    routes.add({
      method: 'POST',
      path: '/routes/impact',
      access: 'operator',
      body: lateForm({ routes: ownField }),
      answer: answers(ruleImpact, 'What would go elsewhere'),
      work: async ({ body }) => {
        const read = draftBody(body);
        if (!read.ok) return read.answer;
        const tried = await drafts.impact(read.forms);
        if (tried.kind !== 'done') return refusalAnswer(tried);
        const { looked, same } = tried.impact;
        return success(`Of ${counted(looked, 'message')} ${looked - same} would take another route.`, tried.impact);
      },
    });

    routes.add({
      method: 'POST',
      path: '/routes/publish',
      access: 'operator',
      body: lateForm({ routes: ownField, base: ownField, confirmed: ownField }),
      answer: answers(list(routingRule), 'The rules in their order'),
      work: async ({ body, person }) => {
        const read = draftBody(body, { base: ownField, confirmed: ownField });
        if (!read.ok) return read.answer;
        const { base, confirmed } = read.more;
        if (!isTexts(base)) {
          return fieldFaults({ base: 'The body needs "base", the versions of the rules that the draft began with.' });
        }
        const published = await drafts.publish(person, { forms: read.forms, base, confirmed: confirmed === true });
        if (published.kind !== 'done') return notEdited(published);
        const { changed } = published.result;
        return success(changed === 0 ? 'These are the rules already.' : 'The rules are published.', rules.list());
      },
    });
  };
}

/** `{routes: [{…fields of a records file}]}`: all rules of the draft, with the fields in `more`, and nothing else. */
function draftBody(
  body: unknown,
  more: Record<string, typeof ownField> = {},
): { ok: true; forms: Form[]; more: Record<string, unknown> } | { ok: false; answer: Answer<never> } {
  const read = readForm(body ?? {}, { routes: ownField, ...more });
  if (!read.ok) return read;
  const { routes, ...rest } = read.form;
  if (Array.isArray(routes) && routes.every(isObject)) return { ok: true, forms: routes, more: rest };
  const sentence = 'The body needs "routes", a list of all rules with their fields.';
  return { ok: false, answer: fieldFaults({ routes: sentence }) };
}

/** Now, or the local time of the sender's account; null when invalid. */
function whenOf(when: unknown, now: EpochMs): EpochMs | LocalTime | null {
  if (when === null) return now;
  const { day, clock } = isObject(when) ? when : {};
  const known = weekdays.find((one) => one === day);
  return known === undefined || typeof clock !== 'string' || !/^([01]\d|2[0-3]):[0-5]\d$/.test(clock)
    ? null
    : { day: known, clock };
}

function isObject(value: unknown): value is Form {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function isMove(value: unknown): value is DraftMove {
  if (!isObject(value)) return false;
  const { routeId, way, side, besideId } = value;
  if (typeof routeId !== 'string') return false;
  return way === 'up' || way === 'down' || ((side === 'before' || side === 'behind') && typeof besideId === 'string');
}
