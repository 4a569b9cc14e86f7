/** The frame around every page, in Spanish. */
import type { Translated } from '../language/translated';
import type * as english from './labels.en';

export const frameLabels: Translated<typeof english.frameLabels> = {
  skip: 'Ir al contenido',
  menu: 'Menú',
  navigation: 'Principal',
  newMessage: 'Mensaje nuevo',
  search: 'Buscar o ir a…',
  help: 'Ayuda',
  docs: 'Docs',
  live: { live: 'En vivo', reconnecting: 'Reconectando…', paused: 'En pausa' },
  offline: {
    title: 'La pasarela no responde',
    detail: 'Se le pregunta hasta que responda; no se pierde nada de lo aceptado.',
    updated: 'Lo que se ve aquí se actualizó',
  },
  unread: (count) => (count === 1 ? '1 respuesta sin leer' : `${count} respuestas sin leer`),
  notify: {
    one: (from) => `Mensaje nuevo de ${from}`,
    many: (count) => `${count} mensajes nuevos`,
    on: (number) => `Para ${number}`,
  },
  pause: 'Pausar',
  resume: 'Reanudar',
  places: {
    home: 'Inicio',
    messages: 'Mensajes',
    conversations: 'Conversaciones',
    handsets: 'Teléfonos',
    numbers: 'Números',
    campaigns: 'Campañas',
    optOuts: 'Bajas',
    webhooks: 'Webhooks',
    keys: 'Claves de API',
    carriers: 'Carriers',
    routes: 'Rutas',
    usage: 'Consumo y facturación',
    requests: 'Registro de solicitudes',
    audit: 'Auditoría',
    accounts: 'Cuentas',
    alerts: 'Alertas',
    settings: 'Ajustes',
    backup: 'Copias de seguridad',
  },
  environment: { label: (now) => `${now}, sandbox o producción`, sandbox: 'Sandbox', live: 'Producción' },
  unsaved: {
    title: '¿Cerrar sin guardar?',
    detail: 'Lo que escribió aquí no está guardado.',
    discard: 'Cerrar sin guardar',
    stay: 'Seguir editando',
  },
  profile: 'Perfil y seguridad',
  operatorRole: 'Operador',
  signOut: 'Cerrar sesión',
  theme: { label: 'Colores', system: 'Como el sistema', light: 'Claros', dark: 'Oscuros' },
  palette: {
    title: 'Buscar o ir a',
    label: 'Una página, un número, una campaña, un id, una palabra',
    none: 'Nada coincide. Con un número de teléfono encontrará sus mensajes.',
    nothing: (text) => `Aquí nada se llama “${text}”. Aún puede buscarlo en los mensajes.`,
    reference: (text) => `Mensajes con su referencia ${text}`,
    find: (text) => `Buscar mensajes con “${text}”`,
    handset: (number) => `Abrir el teléfono ${number}`,
    conversation: (number, own) => `Conversación con ${number}, en ${own}`,
    number: (number) => `Su número ${number}`,
    campaign: (name) => `Campaña ${name}`,
    message: (id) => `Mensaje ${id}`,
    request: (id) => `Solicitud ${id}`,
    reason: (code) => `Qué significa ${code}`,
  },
  keys: {
    title: 'Teclado',
    list: [
      ['Ctrl K', 'Buscar o ir a'],
      ['/', 'Ir a la búsqueda de la página; si no tiene, buscar en todo'],
      ['g y después m, n, w, c…', 'Ir a mensajes, números, webhooks, campañas…'],
      ['j, k', 'Fila siguiente y anterior'],
      ['Enter', 'Abrir la fila'],
      ['e', 'Archivar una conversación o volver a abrirla'],
      ['r', 'Responder en una conversación'],
      ['Esc', 'Cerrar o borrar'],
      ['?', 'Esta lista'],
    ],
    off: 'Las teclas sueltas se pueden desactivar en el perfil.',
  },
  faults: (count) => (count === 1 ? 'Hay algo por corregir' : `Hay ${count} campos por corregir`),
  confirm: {
    title: 'Su contraseña, por favor',
    why: 'Inició sesión hace un rato. Para lo que va a hacer se necesita su contraseña otra vez: ahora, y no de nuevo durante diez minutos.',
    whyNoPassword:
      'Inició sesión hace un rato. Lo que va a hacer necesita un inicio de sesión de los últimos diez minutos: inicie sesión otra vez y vuelva a esta página.',
    go: 'Continuar',
    cancel: 'Cancelar',
  },
  needs: {
    operator: {
      title: 'Esta página es para operadores de esta pasarela',
      ask: 'Trata de toda la pasarela, no de una empresa. Un operador puede hacerlo por usted.',
    },
    send: {
      title: 'Su rol no envía mensajes',
      ask: 'Pueden hacerlo Propietario, Administrador, Desarrollador y Soporte. Un Propietario o Administrador de su empresa puede cambiar su rol.',
    },
    readBody: {
      title: 'Su rol no lee lo que escriben las personas',
      ask: 'Pueden hacerlo Propietario, Administrador, Desarrollador y Soporte. Cualquiera de ellos puede consultar algo por usted; un Propietario o Administrador de su empresa puede cambiar su rol.',
    },
    manageKeys: {
      title: 'Su rol no administra claves de API',
      ask: 'Pueden hacerlo Propietario, Administrador y Desarrollador, que también ven las llamadas a la API. Un Propietario o Administrador de su empresa puede cambiar su rol.',
    },
    readAudit: {
      title: 'Su rol no lee la auditoría',
      ask: 'Pueden hacerlo Propietario y Administrador. Cualquiera de ellos puede consultar algo por usted o cambiar su rol.',
    },
    readUsage: {
      title: 'Su rol no ve el consumo ni los costos',
      ask: 'Pueden hacerlo Propietario, Administrador, Desarrollador y Lector. Un Propietario o Administrador de su empresa puede cambiar su rol.',
    },
  },
  notFound: {
    title: 'Esta página no existe',
    detail: 'Puede que la dirección esté mal escrita o que se haya eliminado lo que mostraba.',
    home: 'Ir al inicio',
    messages: 'Todos los mensajes',
    docs: 'Documentación',
  },
  notFetched: {
    title: 'Esta página aún no llegó',
  },
  fault: {
    title: 'Esta página se detuvo',
    detail: 'Cometió un error. Lo que usted hizo antes está a salvo.',
    again: 'Cargarla de nuevo',
  },
};

export const suspendedLabels: Translated<typeof english.suspendedLabels> = {
  title: 'Esta empresa está suspendida: no se envía nada',
  detail:
    'Tampoco se puede agregar ni cambiar nada. Lo enviado y lo recibido se puede seguir leyendo. Pregunte al operador de esta pasarela el motivo y cómo resolverlo.',
  send: 'Suspendida: no se puede enviar nada',
};
