/** The start page, in Spanish. */
import { counted, numberText } from '../../language/formats';
import type { Translated } from '../../language/translated';
import type * as english from './labels.en';

export const homeLabels: Translated<typeof english.homeLabels> = {
  title: 'Inicio',
  start: 'Llegue a su primera conversación',
  done: (done, all) => `${done} de ${all} listos`,
  had: 'Tuvo su primera conversación.',
  next: 'Más para probar en el sandbox:',
  tryOut: 'romperlo a propósito, su propio código, un carrier real',
  steps: {
    carrier: { title: 'Carrier conectado', todo: 'No hay ningún carrier de SMS conectado.' },
    number: { title: 'Número con SMS activado', todo: 'Active SMS para un número en Números.' },
    campaign: { title: 'Cubierto por una campaña', todo: 'Asigne el número a una campaña aprobada.' },
    accepted: { title: 'Primer SMS aceptado', todo: 'Envíelo con la solicitud de abajo, desde donde quiera.' },
    answered: { title: 'Respóndalo', todo: 'Abra el teléfono y escriba lo que quiera.' },
    webhook: { title: 'Webhook recibido', todo: 'Llega solo a la bandeja de webhooks, después de la respuesta.' },
  },
  liveTodo: {
    accepted: 'Escriba uno en Mensaje nuevo o envíelo con un par de claves de producción.',
    answered: 'Escriba a su número desde un teléfono, o responda en el que recibió el SMS.',
    webhook: 'Llega después de la respuesta, en cuanto tenga un endpoint de webhook propio.',
  },
  campaignTodo: {
    draft: (name) => `La campaña ${name} es un borrador: complétela y envíela al operador.`,
    submitted: (name) => `La campaña ${name} ya se presentó: el operador la pasa a los carriers.`,
    in_review: (name) => `La campaña ${name} está con los carriers: espere su respuesta.`,
    changes_needed: (name) => `Hay que cambiar la campaña ${name}: su página dice qué.`,
    suspended: (name) => `La campaña ${name} está suspendida: su página dice por qué y qué sigue.`,
    expired: (name) => `La campaña ${name} venció: pida al operador que la renueve.`,
  },
  campaign: 'Abrir la campaña',
  isDone: 'Hecho',
  isOpen: 'Por hacer',
  sessions: (count) => counted(count, 'sesión', 'sesiones'),
  connected: 'conectado',
  deliveredIn: (seconds) => `entregado en ${seconds} s`,
  open: 'Abrir',
  handset: 'Teléfono',
  delivery: 'Entrega',
  numbers: 'Números',
  campaigns: 'Campañas',
  send: {
    title: 'Enviar un SMS',
    text: 'Hola desde mi pasarela',
    languages: 'Lenguaje',
    now: 'Enviar ahora',
    reveal: 'Mostrar credenciales',
    hide: 'Ocultar credenciales',
    masked: 'Las credenciales están ocultas. Al copiar se incluyen, y la auditoría lo anota.',
    noPair:
      'Al copiar quedan los marcadores: ponga en su lugar un par de claves de su empresa. Se muestran una sola vez, al crearlas, en Claves de API.',
    response: 'La respuesta',
    arrives: 'Vea cómo llega al teléfono',
    noNumber: 'Ningún número puede enviar ahora. Los pasos de arriba dicen qué falta.',
    live: 'En producción, el SMS llega a un teléfono real.',
    liveWrite: 'Escribirlo',
  },
  demo: {
    title: (messages) => `Esto es tráfico de demostración: ${numberText(messages)} mensajes, todos inventados.`,
    about:
      'Nada de esto se envió ni se facturó. Al quitarlo desaparecen sus mensajes, conversaciones y consumo, y los de usted quedan.',
    remove: 'Quitar el tráfico de demostración',
    removing: 'Quitando…',
  },
  attention: {
    title: 'Requiere atención',
    none: 'Nada. Aquí aparecerán los problemas, con su solución.',
    carriers: (up, all) => `${numberText(up)} de ${counted(all, 'carrier conectado', 'carriers conectados')}`,
    tags: {
      clock: 'Reloj',
      alert: 'Alerta',
      'carrier down': 'Carrier caído',
      'bind down': 'Sesión caída',
      limit: 'Cerca del límite',
      certificate: 'Certificado',
      'carrier certificate': 'Certificado',
      budget: 'Presupuesto',
      'endpoint failing': 'Endpoint con fallas',
      'endpoint disabled': 'Endpoint desactivado',
      campaign: 'Campaña',
      'unmatched receipts': 'Acuses',
      'held messages': 'Retenidos',
      'uncertain messages': 'Inciertos',
    },
    look: {
      clock: 'El reloj está bien',
      alert: 'Ver la alerta',
      'carrier down': 'Abrir el carrier',
      'bind down': 'Abrir el carrier',
      limit: 'Abrir la campaña',
      certificate: 'Abrir los ajustes',
      'carrier certificate': 'Abrir el carrier',
      budget: 'Abrir el consumo',
      'endpoint failing': 'Ver sus entregas',
      'endpoint disabled': 'Abrir el endpoint',
      campaign: 'Abrir la campaña',
      'unmatched receipts': 'Ver los acuses',
      'held messages': 'Ver los mensajes',
      'uncertain messages': 'Ver los mensajes',
    },
    kinds: {
      clock: (says) => says ?? '',
      'carrier down': (name, state) =>
        name === null
          ? 'Un carrier está caído. Lo que usted envía espera o sale por otro. El operador ya lo sabe.'
          : `El carrier ${name}${elsewhere(state)} está caído.`,
      'bind down': (name, state, count) =>
        `${counted(count ?? 0, 'sesión', 'sesiones')} del carrier ${name}${elsewhere(state)} sin conexión. Las demás siguen.`,
      limit: (name, state, count) =>
        state === 'day'
          ? `La campaña ${name} usó el ${count} % de lo que su marca puede enviar hoy. Lo que exceda espera al reinicio.`
          : `La campaña ${name} alcanzó el ${count} % de su límite por minuto. Lo que exceda espera su turno.`,
      certificate: (_, __, count) =>
        (count ?? 0) < 0
          ? 'El certificado de esta pasarela venció. Renueve HELIO_TLS_CERT y arranque otra vez.'
          : `El certificado de esta pasarela vence en ${counted(count ?? 0, 'día', 'días')}. Renueve HELIO_TLS_CERT y arranque otra vez.`,
      'carrier certificate': (name, _, count) =>
        (count ?? 0) < 0
          ? `El certificado del carrier ${name} venció. Pídale que lo renueve: las conexiones nuevas fallan.`
          : `El certificado del carrier ${name} vence en ${counted(count ?? 0, 'día', 'días')}. Pregúntele si lo renovará.`,
      budget: (_, __, count) =>
        (count ?? 0) < 100
          ? `Se usó el ${count} % del presupuesto de este mes.`
          : `El presupuesto de este mes se agotó: ${count} %. Los mensajes siguen; el presupuesto solo avisa.`,
      alert: (name, state) => [alertSince(name, state), '.'],
      'endpoint failing': (name) => [`Todos los intentos al endpoint de webhook “${name}” fallan desde `, '.'],
      'endpoint disabled': (name) => [
        `El endpoint de webhook “${name}” falló mucho tiempo y está desactivado desde `,
        '. Sus entregas esperan hasta que se active otra vez.',
      ],
      campaign: (name, state) => `Campaña ${name}: ${stateOf(state)}. Sus números no pueden enviar.`,
      'unmatched receipts': (_, __, count) =>
        `${counted(count ?? 0, 'acuse no corresponde', 'acuses no corresponden')} a ningún mensaje.`,
      'held messages': (_, __, count) =>
        `${counted(count ?? 0, 'mensaje está retenido', 'mensajes están retenidos')} hasta que alguien decida un nuevo envío.`,
      'uncertain messages': (_, __, count) =>
        `No se sabe si ${counted(count ?? 0, 'mensaje salió', 'mensajes salieron')}: pronto lo decide un acuse o la política.`,
    },
  },
};

/** The state of a campaign, within a sentence. */
function stateOf(state: string | null): string {
  const known: Readonly<Record<string, string>> = {
    draft: 'es un borrador',
    submitted: 'presentada',
    in_review: 'en revisión',
    changes_needed: 'requiere cambios',
    suspended: 'suspendida',
    expired: 'vencida',
  };
  return known[state ?? ''] ?? state ?? '';
}

function alertSince(name: string | null, kind: string | null): string {
  switch (kind) {
    case 'receipts':
      return `El carrier ${name} acepta mensajes y no envía acuses. Activa desde `;
    case 'errors':
      return `El carrier ${name} rechaza más mensajes de lo que permite su límite. Activa desde `;
    case 'backlog':
      return `Los mensajes para el carrier ${name} esperan demasiado. Activa desde `;
    case 'disk':
      return 'El disco del gateway está casi lleno. Activa desde ';
    default:
      return `Hay una alerta${name === null ? '' : ` de ${name}`}. Activa desde `;
  }
}

/** Where a carrier is, when that is not the environment on show. */
function elsewhere(environment: string | null): string {
  return environment === null ? '' : environment === 'live' ? ' (producción)' : ' (sandbox)';
}
