/**
 * Chooses the network limits that apply to a campaign, by the brand's vetting score and the use case, and computes
 * when a day of the daily cap ends. Pure.
 */
import type { EpochMs } from '../../kernel/clock.ts';
import type { Brand, Pacing, Registration } from '../../model/registration.ts';
import { useCaseOf } from '../../model/registration.ts';
import { attLimits, capTimeZone, tMobileLimits } from './pacing-data.ts';

/** A brand without a score gets the lowest limits of the tables. */
export function pacingFor(
  brand: Pick<Brand, 'entityType' | 'vettingScore' | 'identityStatus'> | undefined,
  { useCase }: Pick<Registration, 'useCase'>,
): Pacing {
  const score = brand?.vettingScore ?? 0;
  const alone = brand?.entityType === 'SOLE_PROPRIETOR' || useCase === 'SOLE_PROPRIETOR';
  return { ...attPacing(score, useCase, alone), segmentsPerDay: tMobileCap(brand, score, useCase, alone) };
}

function attPacing(score: number, useCase: string, alone: boolean): Omit<Pacing, 'segmentsPerDay'> {
  const row = attLimits.byScore.find(({ from, to }) => score >= from && score <= to);
  const { segmentsPerMinute, mmsPerMinute } = alone
    ? attLimits.soleProprietor
    : useCase === 'LOW_VOLUME' || row === undefined
      ? attLimits.lowVolume
      : row;
  return { segmentsPerMinute, mmsPerMinute };
}

function tMobileCap(
  brand: Pick<Brand, 'entityType' | 'identityStatus'> | undefined,
  score: number,
  useCase: string,
  alone: boolean,
): number | null {
  if (alone) return tMobileLimits.soleProprietor;
  if (brand?.entityType === 'GOVERNMENT' && brand.identityStatus !== 'unverified') return null;
  if (useCase === 'LOW_VOLUME') return tMobileLimits.otherwise;
  const mixed = useCaseOf(useCase)?.mixed ?? true;
  const scale = mixed ? tMobileLimits.mixed : tMobileLimits.dedicated;
  return scale.find(({ from, to }) => score >= from && score <= to)?.perDay ?? tMobileLimits.otherwise;
}

export interface CapDay {
  /** `YYYY-MM-DD` in the Pacific time zone. */
  name: string;
  startsAt: EpochMs;
  /** Midnight: the first moment of the next day. */
  endsAt: EpochMs;
}

const pacific = new Intl.DateTimeFormat('en-CA', {
  timeZone: capTimeZone,
  year: 'numeric',
  month: '2-digit',
  day: '2-digit',
});
const pacificClock = new Intl.DateTimeFormat('en-GB', {
  timeZone: capTimeZone,
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
});

const hourMs = 3_600_000;

/** The day of the caps that contains `at`. Days of 23 and 25 hours end at their real end. */
export function capDay(at: EpochMs): CapDay {
  return {
    name: pacific.format(at),
    startsAt: midnightBefore(at),
    endsAt: midnightBefore(midnightBefore(at) + 30 * hourMs),
  };
}

/**
 * Subtracts the local time of day; if the clocks changed in between, subtracts the remaining difference too. The zone
 * changes its clocks by one hour at 2:00, never at midnight.
 */
function midnightBefore(at: EpochMs): EpochMs {
  const day = pacific.format(at);
  let guess = at - sinceMidnight(at);
  if (pacific.format(guess) !== day) guess += hourMs;
  return guess - sinceMidnight(guess);
}

function sinceMidnight(at: EpochMs): number {
  const [hours, minutes, seconds] = pacificClock.format(at).split(':').map(Number);
  return ((hours! * 60 + minutes!) * 60 + seconds!) * 1_000 + (((at % 1_000) + 1_000) % 1_000);
}
