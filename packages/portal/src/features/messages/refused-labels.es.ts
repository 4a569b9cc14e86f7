/** The refused recipients in the message log, in Spanish. */
import { isOne, numberText } from '../../language/formats';
import type { Translated } from '../../language/translated';
import type * as english from './refused-labels.en';

const counted = (count: number, more: boolean) =>
  more || !isOne(count)
    ? `${numberText(count)}${more ? '+' : ''} destinatarios rechazados`
    : `${numberText(count)} destinatario rechazado`;

export const refusedWords: Translated<typeof english.refusedWords> = {
  caption: 'Destinatarios rechazados, los más nuevos primero',
  match: (count, more) =>
    `${counted(count, more)} ${!more && isOne(count) ? 'coincide' : 'coinciden'} con esta búsqueda.`,
  show: 'Mostrar rechazados',
  count: counted,
  none: 'Ningún destinatario rechazado coincide con esta búsqueda',
  older: 'Rechazados anteriores',
  whole:
    'Un destinatario rechazado aparece aquí cuando se aceptaron otros de su solicitud. Una solicitud rechazada para todos sus destinatarios deja solo su llamada a la API.',
  requests: 'Registro de solicitudes',
};
