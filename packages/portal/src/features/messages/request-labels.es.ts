/** The request behind a message, and its answer; in Spanish. */
import type { Translated } from '../../language/translated';
import type * as english from './request-labels.en';

export const requestWords: Translated<typeof english.requestWords> = {
  request: 'Solicitud',
  response: 'Respuesta',
  fields: 'Todos los campos',
  curl: 'Copiar como curl',
  open: 'Todos los mensajes de esta solicitud',
  by: {
    api: 'Armada con lo que se guarda de ella. No se guardan tokens, encabezados, espacios ni campos desconocidos.',
    portal: 'Se envió desde este portal. La misma llamada por la API:',
  },
  kept: (time) =>
    `Tal como se respondió, con todos sus destinatarios: se guarda para su Idempotency-Key hasta ${time}.`,
  rebuilt:
    'Armada con lo que se guarda: la respuesta misma solo se conserva para solicitudes con Idempotency-Key, y por 72 horas.',
  notes: {
    'reference left out':
      'Su referencia es como las que la pasarela da a las solicitudes que no tienen, así que aquí se omite.',
    cut: 'Tiene más destinatarios de los que aquí se muestran.',
  },
  gateway: 'Ninguna solicitud creó este mensaje: la pasarela lo envió por sí misma.',
  textGone: 'Su texto se eliminó por antigüedad, así que su solicitud y su respuesta ya no se pueden mostrar.',
  notReader:
    'Su rol no puede leer textos, y la solicitud y la respuesta contienen uno. Pida ayuda a un Propietario o Administrador.',
};
