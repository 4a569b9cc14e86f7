/** The search by form, and filters in words; in Spanish. */
import type { Translated } from '../../language/translated';
import type * as english from './search-labels.en';

export const searchFormWords: Translated<typeof english.searchFormWords> = {
  open: 'Filtrar',
  title: 'Filtrar mensajes',
  apply: 'Mostrarlos',
  cancel: 'Cancelar',
  any: 'Cualquiera',
  outbound: 'Saliente',
  inbound: 'Entrante',
  utc: 'Los días son UTC.',
  notes: {
    after: 'Desde el comienzo de este día, UTC.',
    before: 'Hasta el comienzo de este día, UTC.',
    reason: 'Un código como OPTED_OUT.',
  },
  fields: {
    to: 'Para',
    from: 'De',
    status: 'Estado',
    direction: 'Dirección',
    type: 'Tipo',
    text: 'El texto contiene',
    reason: 'Motivo',
    ref: 'Referencia',
    key: 'Clave',
    after: 'Desde el día',
    before: 'Antes del día',
  },
};
