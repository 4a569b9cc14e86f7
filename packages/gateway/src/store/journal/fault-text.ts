/** Describes damage to a journal in one sentence. */
import { counted } from '../../kernel/counted.ts';
import type { Fault, Look } from './look.ts';

/** Without advice. */
export function faultText(path: string, fault: Fault, generation: number): string {
  return `The journal ${path} ${detailOf(fault, generation)}.`;
}

/** The same sentence with advice. */
export function refusal(path: string, { fault, generation }: Pick<Look, 'fault' | 'generation'>): string {
  const what = faultText(path, fault!, generation);
  return `${what} It may hold acknowledged messages that the database does not have, so ${wayOut}`;
}

/** The end of a sentence about a damaged file: the next step. */
export const wayOut =
  'nothing was started or changed.\nSee what can be saved: npx helio verify. Then bring that in: npx helio recover';

function detailOf(fault: Fault, generation: number): string {
  switch (fault.kind) {
    case 'missing':
      return `is not there, although the database noted that generation ${generation} of it is in use`;
    case 'unreadable':
      return `cannot be read (${fault.why})`;
    case 'foreign':
      return `is not the one in use: it does not begin as generation ${generation} does`;
    case 'older':
      return `is an older one: it is of generation ${fault.generation}, and generation ${generation} is in use`;
    case 'newer':
      return `is newer than the database: it is of generation ${fault.generation}, of which the database knows nothing`;
    case 'short':
      return fault.frames === null
        ? 'is shorter than it was: it was cut off'
        : `is shorter than it was: ${counted(fault.frames, 'frame')} at its end that the database noted ${fault.frames === 1 ? 'is' : 'are'} missing`;
    case 'broken':
      return `is damaged: ${counted(fault.frames, 'frame')} of generation ${generation}, from number ${fault.place} on, ${fault.frames === 1 ? 'is' : 'are'} not whole, and ${counted(fault.behind, 'whole one')} ${fault.behind === 1 ? 'stands' : 'stand'} behind`;
    case 'wrong bit':
      return `is damaged: one bit of its last frame (number ${fault.place}) is wrong`;
  }
}
