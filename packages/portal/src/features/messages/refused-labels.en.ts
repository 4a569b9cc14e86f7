/** Sentences of the refused recipients in the message log. */
import { isOne, numberText } from '../../language/formats';

const counted = (count: number, more: boolean) =>
  more || !isOne(count)
    ? `${numberText(count)}${more ? '+' : ''} refused recipients`
    : `${numberText(count)} refused recipient`;

export const refusedWords = {
  caption: 'Refused recipients, newest first',
  match: (count: number, more: boolean) =>
    `${counted(count, more)} ${!more && isOne(count) ? 'matches' : 'match'} this search.`,
  show: 'Show refused',
  count: counted,
  none: 'No refused recipient fits this search',
  older: 'Older refused',
  whole:
    'A refused recipient is listed here when others of its request were accepted. A request that was refused for all of its recipients leaves only its API call.',
  requests: 'Request log',
} as const;
