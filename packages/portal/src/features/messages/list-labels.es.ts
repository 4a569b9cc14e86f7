/**
 * The list of messages apart from its rows: actions on all results, refused recipients, the search by form; in Spanish.
 */
import { counted, isOne, numberText } from '../../language/formats';
import type { Translated } from '../../language/translated';
import type * as english from './list-labels.en';

const many = (count: number) => counted(count, 'mensaje', 'mensajes');

export const bulkLabels: Translated<typeof english.bulkLabels> = {
  menu: 'Todo lo encontrado',
  menuName: (searched) =>
    searched
      ? 'Todo lo encontrado: acciones sobre esta búsqueda'
      : 'Todo lo encontrado: acciones sobre todos los mensajes',
  resend: 'Enviar otra vez…',
  cancel: 'Cancelar lo que espera…',
  resendTitle: 'Enviar otra vez lo que encuentra esta búsqueda',
  cancelTitle: 'Cancelar lo que espera de esta búsqueda',
  of: 'Búsqueda',
  everything: 'todo',
  count: {
    resend: (count) => `${isOne(count) ? 'Se enviaría' : 'Se enviarían'} otra vez ${many(count)}.`,
    cancel: (count) => `${isOne(count) ? 'Se cancelaría' : 'Se cancelarían'} ${many(count)}.`,
  },
  none: {
    resend: 'Nada de esto se puede enviar otra vez.',
    cancel: 'Nada de esto espera.',
  },
  more: (max) =>
    `Hay o puede haber más: se toman como máximo los ${numberText(max)} más nuevos por vez. Repítalo para el resto.`,
  state: (state, count) => `${numberText(count)} ${state}`,
  states: 'Ahora están',
  left: 'Se omiten',
  leftReasons: {
    STILL_UNDER_WAY: 'aún en camino: enviados otra vez, podrían llegar dos veces',
    TEXT_GONE: 'sus textos se eliminaron por antigüedad',
    NO_CARRIER: 'nunca fueron a un carrier, así que no hay un mismo camino; reevalúelos',
    RECEIVED: 'recibidos, no enviados',
  },
  leftLine: (count, reason) => `${numberText(count)}: ${reason}`,
  way: 'Cómo',
  ways: {
    same: 'Mismo contenido: mismo texto, remitente, referencia y carrier',
    fresh: 'Reevaluar: mensajes nuevos según todas las reglas de hoy',
  },
  consequence: {
    resend: 'Cada uno es un mensaje nuevo y se factura como tal. Lo que un carrier tomó no se puede retirar.',
    cancel: 'No se enviaron ni se enviarán nunca. No se factura nada. Esto no se puede deshacer.',
  },
  typed: (count) => `Escriba ${count} para confirmar`,
  typedWrong: (count) => `Escriba ${count}, la cantidad de mensajes.`,
  back: 'Ahora no',
  go: {
    resend: (count) => `Enviar otra vez ${many(count)}`,
    cancel: (count) => `Cancelar ${many(count)}`,
  },
  done: {
    resend: (done, count) => `Enviados otra vez: ${numberText(done)} de ${many(count)}.`,
    cancel: (done, count) => `Cancelados: ${numberText(done)} de ${many(count)}.`,
  },
  reasons: 'Qué pasó con los demás',
  reason: 'Motivo',
  how: 'Detalle',
  howMany: 'Mensajes',
  close: 'Cerrar',
};

const refusedCount = (count: number, more: boolean) =>
  more || !isOne(count)
    ? `${numberText(count)}${more ? '+' : ''} destinatarios rechazados`
    : `${numberText(count)} destinatario rechazado`;

export const refusedLabels: Translated<typeof english.refusedLabels> = {
  caption: 'Destinatarios rechazados, los más nuevos primero',
  match: (count, more) =>
    `${refusedCount(count, more)} ${!more && isOne(count) ? 'coincide' : 'coinciden'} con esta búsqueda.`,
  show: 'Mostrar rechazados',
  count: refusedCount,
  none: 'Ningún destinatario rechazado coincide con esta búsqueda',
  older: 'Rechazados anteriores',
  whole:
    'Un destinatario rechazado aparece aquí cuando se aceptaron otros de su solicitud. Una solicitud rechazada para todos sus destinatarios deja solo su llamada a la API.',
  requests: 'Registro de solicitudes',
};

export const searchFormLabels: Translated<typeof english.searchFormLabels> = {
  open: 'Filtrar',
  title: 'Filtrar mensajes',
  apply: 'Mostrarlos',
  cancel: 'Cancelar',
  any: 'Cualquiera',
  outbound: 'Saliente',
  inbound: 'Entrante',
  utc: 'Los días son UTC.',
  since: (time) => `Desde ${time}`,
  until: (time) => `Hasta ${time}`,
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
