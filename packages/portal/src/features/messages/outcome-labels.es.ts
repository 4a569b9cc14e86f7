/** What became of a message, where it tells more than the catalogue of codes; in Spanish. */
import type { Translated } from '../../language/translated';
import type * as english from './outcome-labels.en';

export const outcomeWords: Translated<typeof english.outcomeWords> = {
  names: {
    carrierCode: 'el código propio del carrier',
    messageId: 'el id del mensaje',
    mmsFallback: 'la alternativa para MMS',
    links: '“links”',
  },
  neverLeftTitle: 'Esperó demasiado y no se envió',
  gaveUpTitle: 'No se alcanzó el teléfono a tiempo',
  neverLeft: {
    cause: 'Esperó en la cola hasta que se acabó su tiempo y nunca salió.',
    fix: 'Envíelo otra vez; si puede esperar, déjele más tiempo.',
  },
  gaveUp: {
    cause: 'El carrier lo tomó y desistió antes de poder alcanzar el teléfono.',
    fix: 'Envíelo otra vez más tarde; el teléfono puede estar apagado o sin cobertura.',
  },
  noReceipt: (time) => `No llegó ningún acuse en ${time}. El mensaje bien puede haber llegado.`,
  tooFast: 'Demasiado rápido para el carrier, o su cola está llena: se intenta otra vez.',
  billed: 'Se factura: el carrier lo tomó.',
  notBilled: 'No se factura: ningún carrier lo tomó.',
  notYet: 'Aún no se factura: ningún carrier lo tomó todavía.',
};
