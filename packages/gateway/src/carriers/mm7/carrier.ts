/** The MM7 adapter: connects sender, HTTP client, link and inbox of one carrier. */
import type { Carrier, CarrierSink, Submission, SubmissionOutcome } from '../carrier.ts';
import { unavailable } from '../carrier.ts';
import type { CarrierDeps } from '../deps.ts';
import { mediumLost } from '../mms-codec.ts';
import { createMmsSender } from '../mms-sender.ts';
import { createPace } from '../pace.ts';
import { createMm7Client, type PostResult } from './client.ts';
import { createMm7Inbox } from './inbox.ts';
import { createMm7Link } from './link.ts';
import { judge, type LinkVerdict, uncertain } from './outcome.ts';
import { type Mm7CarrierRecord, mm7Takes } from './profile.ts';
import { submitRequest } from './submit.ts';

export function createMm7Carrier(record: Mm7CarrierRecord, deps: CarrierDeps): Carrier {
  const { carrierId, mm7 } = record;
  const { clock, logger } = deps;
  const pace = createPace(mm7.messagesPerSecond, clock.monotonicMs(), deps.rateShare);
  const client = createMm7Client(mm7, clock);
  let sink: CarrierSink | null = null;

  const link = createMm7Link({
    clock,
    random: deps.random,
    probe: client.probe,
    changed: (up, detail) => {
      sender.linkChanged();
      sink?.link(up, detail);
    },
  });
  const sender = createMmsSender({
    clock,
    pace,
    window: mm7.window,
    up: link.up,
    send,
    cut: () => void client.close(),
    results: (results) => sink?.results(results),
    ready: () => sink?.ready(),
  });

  async function send(submission: Submission): Promise<SubmissionOutcome> {
    const request = await submitRequest(submission, mm7).catch((err: unknown) => {
      logger.error({ err, carrier: carrierId, messageId: submission.messageId }, 'a message could not be written');
      return mediumLost;
    });
    if (request.kind === 'refused') return request;
    if (deps.mayHandOver?.() === false) return unavailable;
    return outcomeOf(await client.post(request.headers, request.body), submission);
  }

  function outcomeOf(result: PostResult, submission: Submission): SubmissionOutcome {
    if (result.kind === 'not_sent') {
      link.failed(`connection failed: ${result.detail}`);
      return unavailable;
    }
    if (result.kind === 'broken') {
      link.failed(`connection ended: ${result.detail}`);
      const detail = `No answer from the carrier to a message that may have been sent: ${result.detail}.`;
      return uncertain(result.cause, detail);
    }
    const judged = judge(result.answer, submission);
    if (judged.throttled) pace.throttled(clock.monotonicMs());
    updateLink(judged.link, judged.outcome);
    return judged.outcome;
  }

  function updateLink(word: LinkVerdict, outcome: SubmissionOutcome): void {
    if (word === 'worked') link.worked();
    else if (word === 'refused') link.refused('the carrier refuses our credentials');
    else link.failed('detail' in outcome ? outcome.detail : 'no answer of MM7');
  }

  return {
    carrierId,
    abilities: { kinds: mm7Takes, mediaBytesMax: mm7.mediaBytesMax },
    start: (given) => {
      sink = given;
      link.start();
    },
    capacity: sender.capacity,
    submit: sender.submit,
    stop: async (drainMs) => {
      link.stop();
      await sender.stop(drainMs);
      await client.close();
    },
    status: () => ({
      carrierId,
      up: link.up(),
      binds: [
        {
          state: link.up() ? 'reachable' : link.detail() === null ? 'connecting' : 'unreachable',
          detail: link.detail(),
          window: mm7.window,
          inFlight: sender.inFlight(),
        },
      ],
      certificate: client.certificate(),
      refusedCertificate: client.refusedCertificate(),
    }),
    http: createMm7Inbox(record, deps, () => sink),
  };
}
