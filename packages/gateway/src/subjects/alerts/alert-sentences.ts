/** The sentence of an alert: one for each kind, with the value measured when it fired. */
import type { EpochMs } from '../../kernel/clock.ts';
import { counted } from '../../kernel/counted.ts';

/** `90 s`, `12 min`, `5 h`: in the largest unit that gives two or more. */
export function duration(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? `${minutes} min` : `${Math.round(minutes / 60)} h`;
}

export function receipts(
  name: string,
  { partsForMs, parts, usualMs }: { partsForMs: number; parts: number; usualMs: number },
): string {
  return `Carrier ${name} has taken ${counted(parts, 'part')} in ${duration(partsForMs)} and sent no receipt; 95 of 100 usually come within ${duration(usualMs)}.`;
}

export function errors(name: string, { tries, refused }: { tries: number; refused: number }): string {
  return `Carrier ${name} refused ${refused} of ${counted(tries, 'try', 'tries')} in the last five minutes.`;
}

export function backlog(name: string, seconds: number): string {
  return `The oldest message for carrier ${name} has been due for ${duration(seconds * 1_000)}, and the carrier is connected.`;
}

/** `binds` null = none is up. */
export function link(name: string, binds: { all: number; down: number } | null): string {
  return binds === null
    ? `Carrier ${name} cannot be reached.`
    : `${binds.down} of ${counted(binds.all, 'connection')} to carrier ${name} ${binds.down === 1 ? 'is' : 'are'} down.`;
}

export function certificate(who: string, endsAt: EpochMs, now: EpochMs): string {
  const day = new Date(endsAt).toISOString().slice(0, 10);
  return `The certificate of ${who} ${endsAt <= now ? 'expired' : 'expires'} on ${day}.`;
}

export function disk(megabytes: number): string {
  return `Only ${Math.floor(megabytes)} MB are free on the disk of the data folder.`;
}

export function budget(name: string, percent: number): string {
  return `${name} has used ${percent} % of its monthly budget.`;
}
