/** What is said to people of a suspended company, in Spanish. */
import type { Translated } from '../language/translated';
import type * as english from './suspended-labels.en';

export const suspendedWords: Translated<typeof english.suspendedWords> = {
  title: 'Esta empresa está suspendida: no se envía nada',
  detail:
    'Tampoco se puede agregar ni cambiar nada. Lo enviado y lo recibido se puede seguir leyendo. Pregunte al operador de esta pasarela el motivo y cómo resolverlo.',
  send: 'Suspendida: no se puede enviar nada',
};
