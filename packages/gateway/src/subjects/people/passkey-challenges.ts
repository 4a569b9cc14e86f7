/** WebAuthn challenges: each is valid once, for minutes. In memory, bounded, with a limit for each client. */
import { addressGroup } from '../../kernel/address-group.ts';
import type { Clock, Random } from '../../kernel/clock.ts';
import { peopleTimes } from '../../model/people.ts';
import type { Refusal } from '../../model/person.ts';
import { createCounters } from './counters.ts';

export const challengeLimits = {
  max: 5_000,
  /** Challenges that one client may begin within their lifetime, so that nobody displaces those of others. */
  perClient: 100,
} as const;

export interface PasskeyChallenges {
  /** `owner`: the only one who may answer it; null = anyone, at the sign-in. */
  issue(owner: string | null, address: string): Uint8Array | Extract<Refusal, { kind: 'slow' }>;
  /** Whether it was issued to this owner and is still valid; afterwards it is used up. */
  take(challenge: string, owner: string | null): boolean;
}

export function createPasskeyChallenges({ clock, random }: { clock: Clock; random: Random }): PasskeyChallenges {
  const open = new Map<string, { owner: string | null; endsAt: number }>();
  const counters = createCounters(clock, challengeLimits.max);
  return {
    issue(owner, address) {
      const client = addressGroup(address);
      const counter = counters.of(client);
      if (counter !== null && counter.count >= challengeLimits.perClient) {
        return { kind: 'slow', retryAfterSeconds: Math.ceil((counter.endsAt - clock.monotonicMs()) / 1_000) };
      }
      counters.add(client, peopleTimes.challengeMs);
      const bytes = random.bytes(32);
      const name = Buffer.from(bytes).toString('base64url');
      open.set(name, { owner, endsAt: clock.monotonicMs() + peopleTimes.challengeMs });
      if (open.size > challengeLimits.max) open.delete(open.keys().next().value!);
      return bytes;
    },
    take(challenge, owner) {
      const issued = open.get(challenge);
      open.delete(challenge);
      return issued !== undefined && issued.owner === owner && issued.endsAt > clock.monotonicMs();
    },
  };
}
