/** The carriers: cards, forms, connection test, PDU log, unmatched receipts; in Spanish. */
import { counted, fixedText, isOne } from '../../language/formats';
import type { Translated } from '../../language/translated';
import type * as english from './labels.en';

/** About how long, in the largest fitting unit. */
function duration(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return counted(seconds, 'segundo', 'segundos');
  const minutes = Math.round(seconds / 60);
  return minutes < 120 ? counted(minutes, 'minuto', 'minutos') : counted(Math.round(minutes / 60), 'hora', 'horas');
}

/** Rounded down to a tenth, so never 100 while one is missing. */
function percent(share: number): string {
  return `${fixedText(Math.floor(share * 1_000) / 10, share === 1 ? 0 : 1)} %`;
}

function shortTime(ms: number): string {
  if (ms < 950) return `${Math.round(ms / 10) * 10} ms`;
  return ms < 120_000 ? `${fixedText(ms / 1_000, ms < 9_950 ? 1 : 0)} s` : `${Math.round(ms / 60_000)} min`;
}

/** The gateway's descriptions of a kind. */
const carried: Readonly<Record<string, string>> = {
  texts: 'SMS',
  'MMS over SMTP': 'MMS por SMTP',
  'MMS over HTTP': 'MMS por HTTP',
};

const sendingStates: Readonly<Record<string, string>> = { up: 'en servicio', down: 'caído', paused: 'en pausa' };

const waitingText = (waiting: number) =>
  waiting === 0 ? 'Ahora no espera nada' : `Ahora ${counted(waiting, 'mensaje espera', 'mensajes esperan')}`;

export const carrierLabels: Translated<typeof english.carrierLabels> = {
  title: 'Carriers',
  what: 'Quién transporta sus mensajes y cómo está cada enlace en este momento.',
  add: 'Agregar carrier',
  edit: 'Editar',
  open: 'Abrir',
  cancel: 'Cancelar',
  save: 'Guardar',
  close: 'Cerrar',
  empty: {
    title: 'Aún no hay carriers.',
    detail: 'Los SMS necesitan un carrier que los tome. El suyo le da servidor, usuario y contraseña.',
  },
  kind: (title, carries) => (carries === '' ? title : `${title} (${carried[carries] ?? carries})`),
  withTls: 'con TLS',
  simulated: 'simulado',
  secondFactor: {
    title: 'Se necesita la verificación en dos pasos',
    detail:
      'Un carrier que llega a teléfonos reales solo puede agregarlo, cambiarlo o activarlo alguien que inicie sesión en dos pasos. Desactivar y pausar no lo requieren.',
    link: 'Actívela en su perfil',
  },
  tabs: {
    links: 'Enlaces',
    unmatched: (n) => (n === 0 ? 'Acuses sin mensaje' : `Acuses sin mensaje (${n})`),
    log: 'Registro de PDU',
    errors: 'Estadística de errores',
    changes: 'Cambios',
  },
  card: {
    bind: (kind, number) =>
      `${{ transceiver: 'TRX', transmitter: 'TX', receiver: 'RX' }[kind ?? ''] ?? 'Conexión'} #${number}`,
    node: (name) => `en la pasarela ${name}`,
    bound: 'conectada',
    reachable: 'accesible',
    lost: 'perdida',
    more: (n, up) => `y ${counted(n, 'conexión', 'conexiones')} más, ${up} en servicio`,
    upSince: 'en servicio desde',
    downSince: 'caído desde',
    window: (used, of) => `ventana ${used}/${of}`,
    out: (perSecond) => `salida ${perSecond} /s`,
    in: (perSecond) => `entrada ${perSecond} /s`,
    history: (parts) =>
      `Últimos cinco minutos: ${counted(parts, 'segmento tomado', 'segmentos tomados')} por el carrier.`,
    queue: (n) => `cola ${n}`,
    waiting: (n) => `${counted(n, 'mensaje espera', 'mensajes esperan')}; el más antiguo debía salir`,
    p95: (ms) => `responde en ${ms} ms (p95)`,
    receipts: (n) => `${counted(n, 'acuse', 'acuses')} en 5 min`,
    noReceipts: 'no se piden acuses',
    reported: (share, p50Ms) => `acuses ${percent(share)}${p50Ms === null ? '' : ` · p50 ${shortTime(p50Ms)}`}`,
    reportedHelp: (looked) =>
      `De los últimos ${counted(looked, 'segmento revisado', 'segmentos revisados')} que el carrier tomó hace un minuto o más: los que ya tienen acuse final, y el tiempo que tardó la mitad de ellos.`,
    enquireLink: 'enquire_link',
    heard: 'última señal',
    certificate: (days) =>
      days < 0 ? 'El certificado del carrier venció' : `Su certificado vence en ${counted(days, 'día', 'días')}`,
    limit: 'Qué lo frena:',
    pause: 'Pausar el envío',
    resume: 'Reanudar el envío',
    tryNow: 'Intentar ahora',
    backup: 'Enviar por otro carrier',
    log: 'Registrar PDU 5 min',
    logging: 'Registro de PDU activado hasta',
    stopLog: 'Detener el registro',
  },
  backup: {
    title: (name) => `¿Enviar por otro camino lo que espera a ${name}?`,
    to: 'Por',
    choice: (name, state, fits) =>
      `${name} (${sendingStates[state] ?? state}): ${counted(fits, 'mensaje', 'mensajes')}`,
    consequence: (fits, looked, name) =>
      `${counted(fits, 'mensaje', 'mensajes')} de los ${looked} que esperan ${isOne(fits) ? 'pasa' : 'pasan'} ahora a ${name} y no ${isOne(fits) ? 'vuelve por sí solo' : 'vuelven por sí solos'}. Según las reglas de enrutamiento, ningún otro mensaje puede ir por él; lo que ya se está entregando queda donde está.`,
    more: (looked) => `Solo se revisan los ${looked} que llevan más tiempo esperando; repítalo para el resto.`,
    waitsThere: 'En este momento no envía: allí esperarán.',
    none: {
      title: 'Ningún otro carrier puede tomar lo que espera',
      detail:
        'Solo puede hacerlo un carrier que una regla de enrutamiento nombre para estos mensajes. Agréguelo a una regla y vuelva a intentar.',
    },
    go: (n) => `Enviar ${counted(n, 'mensaje', 'mensajes')} por él`,
  },
  errors: {
    caption: 'Lo que rechazaron los carriers, lo más frecuente primero',
    looked: (n) =>
      `Contado sobre los ${counted(n, 'evento más nuevo', 'eventos más nuevos')} de todos los mensajes, desde`,
    empty: 'Ningún carrier rechazó nada últimamente.',
    columns: {
      carrier: 'Carrier',
      carrierCode: 'Código del carrier',
      reason: 'Motivo',
      state: 'En qué terminó',
      count: 'Cantidad',
      last: 'Último',
    },
  },
  pauseDialog: {
    title: (name) => `¿Pausar el envío por ${name}?`,
    consequence: (waiting) =>
      `No se le entrega nada más hasta que alguien lo reanude. ${waitingText(waiting)}; los nuevos también esperarán, aunque otro carrier de su ruta pudiera tomarlos. Las respuestas y los acuses siguen llegando.`,
    go: 'Pausar el envío',
  },
  detail: {
    gateway: 'Pasarela',
    live: 'Ahora',
    state: 'Estado',
    kind: 'Tipo',
    bind: 'Conexión',
    bindState: 'Estado',
    lastDetail: 'Lo último que dijo',
    inFlight: 'En vuelo',
    protocolErrors: 'Contra el protocolo',
    noBinds: 'No hay nada abierto.',
    rates: 'Rendimiento',
    queue: 'En espera',
    oldest: 'El más antiguo',
    nothing: 'nada',
    responses: 'Tiempo de respuesta p95',
    noResponses: 'aún sin respuestas',
    receipts: 'Acuses, 5 minutos',
    reported: 'Segmentos con acuse',
    notReported: 'ningún segmento tiene la antigüedad necesaria',
    heard: 'Última señal',
    never: 'aún no',
    certificate: {
      title: 'Certificado que presenta',
      none: 'No hubo ninguna conexión con TLS desde que arrancó la pasarela.',
      refused: {
        title: 'La pasarela no confía en el certificado que presenta',
        detail:
          'Las conexiones se rechazan. Pregunte al carrier si el certificado es suyo, por su huella. Se acepta cuando lo respalda una autoridad en la que la pasarela confía, o cuando se desactiva su comprobación en los ajustes.',
      },
      subject: 'Titular',
      issuer: 'Emisor',
      names: 'Válido para',
      validFrom: 'Válido desde',
      validTo: 'Válido hasta',
      fingerprint: 'SHA-256',
      ending: {
        title: (days) => (days < 0 ? 'Venció' : days === 0 ? 'Vence hoy' : `Vence en ${counted(days, 'día', 'días')}`),
        detail:
          'Lo renueva el carrier. Una vez vencido, las conexiones nuevas fallan mientras se compruebe el certificado, y lo que se envía espera o sale por otro carrier.',
      },
    },
    accepted: 'Segmentos tomados, 5 minutos',
    limit: 'Qué lo frena',
    listening: 'Escucha en',
    settings: 'Ajustes',
    secretSet: 'definido',
    secretUnset: 'sin definir',
    none: 'ninguno',
    on: 'sí',
    offWord: 'no',
    simulated: 'La propia pasarela mantiene este carrier simulado. Puede pausarlo y registrar sus PDU.',
    switchOff: 'Desactivar',
    switchOn: 'Activar',
  },
  switchDialog: {
    title: (name) => `¿Desactivar ${name}?`,
    consequence: (waiting) =>
      `Sus conexiones se cierran. ${waitingText(waiting)}; lo que espera pasa al siguiente carrier de su ruta, si lo hay, y si no, sigue esperando.`,
    go: 'Desactivar',
  },
  groups: {
    connection: 'Conexión',
    identity: 'Identidad',
    limits: 'Límites',
    encoding: 'Codificación y acuses',
    tls: 'TLS',
    inbound: 'Lo que nos envía',
  },
  form: {
    addTitle: 'Agregar un carrier',
    editTitle: (name) => `Editar ${name}`,
    kind: 'Tipo',
    secretKept: 'Definido. Déjelo vacío para conservarlo.',
    secretNew: 'Se escribe una vez; no se muestra nunca más.',
    bounds: (min, max) => `De ${min} a ${max}.`,
    anyOf: (choices) => `Cualquiera de: ${choices}.`,
    allowed: (what) => `Permitido: ${what}.`,
    units: { ms: 'ms', bytes: 'bytes', perSecond: 'por segundo' },
    saved: 'Guardado',
    conflict: {
      title: 'Otra persona cambió este carrier mientras tanto',
      detail: 'Lo que usted escribió sigue aquí. Mire las diferencias y guarde otra vez para escribir lo suyo encima.',
      columns: { field: 'Campo', theirs: 'Registrado ahora', yours: 'Suyo' },
      nothing: 'No difiere en nada de lo que usted cambió.',
      again: 'Guardar encima',
    },
  },
  test: {
    go: 'Probar la conexión',
    what: 'Abre, se identifica y se despide. No se envía ningún mensaje ni se guarda nada.',
    running: 'Probando…',
    title: 'Prueba de conexión',
    ok: 'hecho',
    bad: 'falló',
    took: (ms) => `${ms} ms`,
  },
  unmatched: {
    caption: 'Acuses que no corresponden a ningún mensaje',
    empty: 'Todos los acuses de las últimas 24 horas encontraron su mensaje.',
    detail:
      'Aquí aparece un acuse cuando su id no es de los nuestros. Con frecuencia el carrier escribe los ids en otra base: vea idBase del carrier. Se conservan 24 horas.',
    columns: {
      at: 'Hora',
      carrier: 'Carrier',
      id: 'Id del carrier',
      to: 'Teléfono',
      state: 'Estado',
      raw: 'Tal como llegó',
      actions: 'Acciones',
    },
    match: 'Asociar a mano',
    matchThis: (id) => `acuse ${id}`,
    done: 'Asignado a su mensaje.',
  },
  match: {
    title: '¿De qué mensaje es este acuse?',
    raw: 'El acuse tal como llegó',
    offered: (n) =>
      `${counted(n, 'segmento de un mensaje', 'segmentos de mensajes')} a este teléfono por este carrier, los más probables primero.`,
    nothing: 'Nada fue a este teléfono por este carrier últimamente.',
    nothingDetail: 'Si sabe qué mensaje es, indíquelo abajo.',
    byId: 'Otro mensaje, por su id',
    byIdHelp: 'Por ejemplo, uno que hace días se dio por no confirmado.',
    look: 'Buscar',
    noSuch: 'Ningún mensaje enviado tiene este id.',
    all: 'Mostrar todos los posibles',
    part: (part, of) => `segmento ${part} de ${of}`,
    sent: 'entregado',
    id: 'su id en el carrier:',
    noId: 'ninguno registrado',
    cannot: 'No puede ser este.',
    choose: 'Elegir',
    chooseThis: (messageId) => `mensaje ${messageId}`,
    why: 'Qué habla a favor y en contra',
    speaks: { for: 'a favor', against: 'en contra', neither: 'no dice nada' },
    clues: {
      'same handset': 'Fue al teléfono que el acuse nombra.',
      'no handset named': 'El acuse no nombra ningún teléfono.',
      'waits for its receipt': 'Aún espera su acuse.',
      'never answered': 'El carrier nunca respondió a su entrega, así que no se conoce su id.',
      'over already': 'Ya terminó: solo se anotaría su segmento.',
      'other form of the id': 'Su id es el mismo, escrito de otra forma. Vea idBase del carrier.',
      'id contained': 'Uno de los dos ids contiene al otro.',
      'other id': 'Su id en el carrier es otro.',
      'no id on record': 'El carrier no le dio ningún id.',
      'before the message': 'El acuse llegó antes de que se entregara:',
      'after the message': 'El acuse llegó después de que se entregara:',
      'submit date fits': 'La hora de envío del acuse coincide, en la zona del carrier.',
      'submit date differs': 'La hora de envío del acuse es otra.',
      'text fits': 'Su texto empieza como lo cita el acuse.',
      'text differs': 'Su texto empieza de otra forma que la cita del acuse; los carriers suelen cortarlo o cambiarlo.',
    },
    by: (ms) => duration(ms),
    confirm: {
      title: '¿Asignar el acuse a este mensaje?',
      consequence: (messageId, state, from) =>
        `${messageId} (ahora ${from}) recibe “${state}” como si el acuse lo hubiera nombrado: lo siguen su estado, su historia, sus webhooks y las cifras de su cuenta. Eso no se puede retirar. El acuse sale de esta lista, y su nombre queda en la auditoría.`,
      go: 'Asignarlo a este mensaje',
      back: 'Volver',
    },
  },
  log: {
    which: 'Carrier',
    off: 'El registro está desactivado. Actívelo por unos minutos; desactivado no cuesta nada.',
    on: 'El registro está activado hasta',
    minutes: 'Minutos',
    start: 'Iniciar',
    stop: 'Detener',
    empty: 'Aún no hay PDU.',
    none: 'Ningún carrier en marcha tiene registro de PDU.',
    texts:
      'Los textos de los mensajes y las contraseñas no se guardan nunca: se ve su longitud, y xx por cada uno de sus octetos.',
    columns: { at: 'Hora', bind: 'Bind', way: 'Sentido', command: 'PDU', status: 'Estado', fields: 'Campos' },
    octets: 'Octetos',
    octetsOf: (command, at) => `de ${command}, ${at}`,
    ways: { out: 'sale ▸', in: '◂ entra' },
    caption: 'PDU, las más nuevas primero',
  },
  changes: {
    empty: 'Aún no hay cambios.',
    noAudit: 'Su rol no lee la auditoría.',
    rules: 'Reglas de enrutamiento publicadas que lo nombran o lo nombraron',
    noRules: 'Nadie publicó aún un cambio de una regla así.',
  },
};

export const settingLabels: Translated<typeof english.settingLabels> = {
  id: 'Id',
  name: 'Nombre',
  enabled: 'Activado',
  host: 'Servidor',
  port: 'Puerto',
  url: 'Dirección',
  tls: 'Cifrado (TLS)',
  tlsVerify: 'Comprobar el certificado',
  caCertificate: 'Autoridad de confianza (PEM)',
  clientCertificate: 'Nuestro certificado (PEM)',
  clientKey: 'Nuestra clave privada (PEM)',
  system_id: 'Usuario',
  password: 'Contraseña',
  username: 'Usuario',
  system_type: 'Tipo de sistema',
  interface_version: 'Versión del protocolo',
  bindMode: 'Forma de bind',
  binds: 'Conexiones',
  connections: 'Conexiones',
  window: 'Solicitudes sin respuesta',
  messagesPerSecond: 'Mensajes por segundo (0: sin límite)',
  lendRate: 'Prestar a otras celdas el ritmo sin usar, y usar el que presten',
  repeatsUnanswered: 'Máximo de repeticiones de un mensaje sin respuesta (0: se retiene)',
  repeatsBroken: 'Máximo de repeticiones tras un corte del enlace (0: se retiene)',
  responseTimeoutMs: 'Espera de una respuesta, ms',
  enquireLinkMs: 'Señal de vida cada, ms',
  reconnectMs: 'Primera espera tras perder la conexión, ms',
  reconnectMsMax: 'Espera más larga tras perder la conexión, ms',
  rebindMs: 'Primera espera tras un bind rechazado, ms',
  rebindMsMax: 'Espera más larga tras un bind rechazado, ms',
  passwordTriesMax: 'Intentos con una contraseña rechazada',
  stableAfterMs: 'Una conexión es buena después de, ms',
  source_addr_ton: 'Tipo de un remitente largo',
  source_addr_npi: 'Plan de un remitente largo',
  short_code_ton: 'Tipo de un código corto',
  short_code_npi: 'Plan de un código corto',
  alphanumeric_ton: 'Tipo de un nombre como remitente',
  alphanumeric_npi: 'Plan de un nombre como remitente',
  dest_addr_ton: 'Tipo del número del destinatario',
  dest_addr_npi: 'Plan del número del destinatario',
  trustText: 'Textos que parecen acuses',
  acceptedIsFinal: 'ACCEPTED es la última palabra',
  receiptTimeZone: 'Zona horaria de los acuses',
  idBase: 'Cómo se escriben los ids de mensaje',
  longMessage: 'Cómo se dividen los textos largos',
  defaultAlphabet: 'Alfabeto predeterminado',
  nationalLanguages: 'Tablas de idiomas nacionales',
  registered_delivery: 'Pedir acuses',
  deliveryReport: 'Pedir informes de entrega',
  readReports: 'Enviar confirmaciones de lectura si las piden',
  acknowledgement: 'Esperar confirmaciones',
  ackTimeoutMs: 'Espera de una confirmación, ms',
  mediaBytesMax: 'Tamaño máximo de los archivos de un mensaje, bytes',
  schema: 'Esquema',
  version: 'Versión',
  vaspId: 'Nuestra empresa en el carrier',
  vasId: 'Nuestro servicio en el carrier',
  serviceCode: 'Código de servicio',
  domain: 'Dominio del carrier',
  ownDomain: 'Nuestro dominio',
  'inbound.username': 'Usuario que presenta',
  'inbound.password': 'Contraseña que presenta',
  'inbound.addresses': 'Direcciones desde las que llega',
  'inbound.clientCertSha256': 'Certificados que presenta (SHA-256)',
  'inbound.host': 'Dirección en la que escuchamos',
  'inbound.port': 'Puerto en el que escuchamos',
  'inbound.requireTls': 'Solo con TLS',
};

export const choiceLabels: Translated<typeof english.choiceLabels> = {
  longMessage: {
    udh8: 'En segmentos, referencia corta',
    udh16: 'En segmentos, referencia larga',
    sar: 'En segmentos, por TLV',
    payload: 'Entero; lo divide el carrier',
  },
  trustText: {
    known: 'Acuses cuando se conoce el id',
    always: 'Siempre acuses',
    never: 'Siempre textos de personas',
  },
  idBase: {
    auto: 'Lo averigua la pasarela',
    string: 'Igual en respuestas y acuses',
    'resp-hex': 'Hexadecimal en las respuestas',
    'receipt-hex': 'Hexadecimal en los acuses',
  },
  bindMode: {
    transceiver: 'Una conexión para ambos sentidos',
    'transmitter+receiver': 'Una conexión para cada sentido',
  },
  defaultAlphabet: { gsm: 'GSM 7-bit', latin1: 'Latin 1', ascii: 'ASCII' },
};
