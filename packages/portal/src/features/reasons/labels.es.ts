/** The catalogue of codes, in Spanish. */
import { counted } from '../../language/formats';
import type { Translated } from '../../language/translated';
import type * as english from './labels.en';

export const reasonLabels: Translated<typeof english.reasonLabels> = {
  title: 'Códigos de motivo',
  what: 'Todos los códigos con los que responde esta pasarela: en solicitudes, para cada destinatario y sobre lo que pasó con un mensaje.',
  search: 'Buscar códigos y significados',
  count: (count) => counted(count, 'código', 'códigos'),
  none: 'Ningún código coincide.',
  all: 'Mostrar todos los códigos',
  caption: 'Los códigos y lo que significan',
  code: 'Código',
  meaning: 'Significado',
  where: 'Dónde',
  retry: 'Más tarde otra vez',
  billed: 'Se factura',
  http: 'Estado HTTP',
  scopes: {
    request: 'La solicitud completa',
    recipient: 'Un destinatario de una solicitud',
    outcome: 'Lo que pasó con un mensaje',
  },
  retries: { yes: 'Puede funcionar', no: 'No funcionará sin cambios' },
  billing: { no: 'No', yes: 'Sí', if_sent: 'Cuando se envió a un carrier' },
  cause: 'Cómo se produce',
  fix: 'Qué hacer',
  notIssued: 'Reservado: todavía nada responde con este código.',
  messages: 'Mensajes con este código',
  unknown: 'No existe ese código',
  unknownNext: 'Puede estar mal escrito o ser un código propio del carrier.',
};
