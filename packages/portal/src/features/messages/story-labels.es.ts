/** The details behind a message's timeline: rule, wire, waits, receipts; and sending it again; in Spanish. */
import { numberText, percentText } from '../../language/formats';
import type { Translated } from '../../language/translated';
import { hoursText } from '../routes/labels.es';
import type * as english from './story-labels.en';

type RuleFacts = Parameters<typeof english.storyLabels.itsRule>[0];

export const storyLabels: Translated<typeof english.storyLabels> = {
  routedBadge: 'Enrutado',
  short: (rules, carrier, others) => {
    const named = `${rules.length === 1 ? 'Regla' : 'Reglas'} ${rules.map((rule) => `“${rule}”`).join(', ')}`;
    if (carrier === null) return `${named}.`;
    return `${named} → ${carrier}${others.length === 0 ? '' : `; si está caído, ${others.join(', luego ')}`}.`;
  },
  byToday: 'Según las reglas de hoy.',
  routed: (rule, carrier) => `Regla “${rule.routeId}” (${ruleFacts(rule)}) → ${carrier}.`,
  itsRule: (rule) => `Su regla es “${rule.routeId}” (${ruleFacts(rule)}).`,
  oneOf: (rules, carrier) =>
    `Una de las reglas ${rules.map((rule) => `“${rule.routeId}” (${ruleFacts(rule)})`).join(', ')}, que se reparten estos mensajes según su peso → ${carrier}.`,
  notYet: 'aún ningún carrier',
  noRule: 'Ninguna regla corresponde a un mensaje así.',
  differs: (carrier) => `Fue a ${carrier}, que esa regla no nombra: las reglas eran otras cuando se envió.`,
  basis: {
    past: (time) =>
      `Las reglas cambiaron después, por última vez ${time}: esto es lo que decían cuando se aceptó el mensaje. El estado de los carriers es el actual.`,
    same: (time) =>
      `Las reglas cambiaron por última vez ${time}, antes de que se aceptara este mensaje: son las que lo enviaron. El estado de los carriers es el actual.`,
    now: (time) =>
      `Las reglas cambiaron después, por última vez ${time}, y las de entonces ya no se conservan: esto es lo que dicen las de hoy, y entonces pudo ser otra.`,
    unknown: () =>
      'No está registrado si las reglas cambiaron desde que se aceptó este mensaje: esto es lo que dicen las de hoy.',
  },
  today: (outcome) => `Según las reglas de hoy: ${outcome}`,
  why: '¿Por qué este?',
  whyTitle: '¿Por qué este carrier?',
  hidden: (count) =>
    count === 1
      ? `${numberText(count)} regla que no corresponde se muestra solo a los operadores.`
      : `${numberText(count)} reglas que no corresponden se muestran solo a los operadores.`,
  tester: 'Abrir el probador de rutas',
  close: 'Cerrar',

  ids: (ids) => `Id del carrier: ${ids.join(', ')}.`,
  matchedById: 'Asociado por el id del carrier.',
  receiptText: 'El acuse tal como llegó',
  carrierTime: 'El carrier indica la hora',
  part: (part) => `segmento ${part}`,
  exchange: (command, sequence, status) =>
    `${command}${sequence === null ? '' : ` seq ${sequence}`} → ${status ?? 'sin respuesta anotada'}`,
  receiptAsked: (asked) => `acuse pedido: ${asked ? 'sí' : 'no'}`,
  pdus: 'PDU',
  fields: 'Campos',
  says: 'Dice',
  hiddenText: (count) => `••• ${count} caracteres`,
  noHex: 'Sus octetos no se guardan: este registro no contiene textos.',
  noPdus: {
    off: 'Las PDU de este carrier solo se guardan mientras su registro está activado. No lo estaba para este mensaje, u otras ocuparon su lugar.',
    on: (time) =>
      `El registro de este carrier está activado hasta ${time}, pero no tiene nada de este mensaje: salió antes, u otras ocuparon su lugar.`,
    sandbox: 'El carrier simulado guarda las últimas 500 PDU de cada teléfono. De este mensaje ya no queda ninguna.',
    none: 'Este carrier no lleva un registro de PDU.',
    logLink: 'Activar el registro',
    logLinkOn: 'Abrir el registro',
    askOperator: 'Un operador de esta pasarela puede activarlo.',
  },

  waits: 'Espera',
  openCarrier: 'Abrir el carrier',
  waiting: {
    noCarrier: 'su carrier',
    off: (carrier) => `${carrier} está desactivado`,
    paused: (carrier, since) => `${carrier} está en pausa${sinceText(since)}`,
    opening: (carrier) => `${carrier} se está abriendo`,
    down: (carrier, since) => `${carrier} está caído${sinceText(since)}: no tiene ninguna conexión`,
    unanswered: (carrier, since) =>
      `${carrier} no responde nada${sinceText(since)}: recibe un mensaje cada 30 segundos hasta que lo haga`,
    repeat: (until, repeat, allowed) =>
      `nadie sabe si salió. Un acuse puede probarlo hasta ${until}; después se envía otra vez, repetición ${repeat} de ${allowed} como máximo`,
    hold: (until) =>
      `nadie sabe si salió. Un acuse puede probarlo hasta ${until}; después se retiene para que decida una persona`,
    receipt: (until, repeats) =>
      `nadie sabe si salió${repeats === 0 ? '' : `, y ya tuvo ${repeats === 1 ? 'su repetición' : `sus ${repeats} repeticiones`}`}. Un acuse puede probarlo hasta ${until}; después termina sin confirmar`,
    rate: (carrier, perSecond) =>
      `se alcanzó el límite de ${carrier}, ${numberText(perSecond)} ${perSecond === 1 ? 'segmento' : 'segmentos'} por segundo`,
    throttled: (carrier) => `${carrier} rechaza lo que llega demasiado rápido, y se le envía más despacio`,
    window: (carrier) => `${carrier} no respondió lo último que recibió, y no recibe más hasta que lo haga`,
    quiet: (until) =>
      until === null
        ? 'lo detiene el horario de silencio de la empresa'
        : `lo detiene el horario de silencio de la empresa hasta ${until}`,
    campaign: (until) =>
      until === null
        ? 'se alcanzó el límite por minuto de su campaña'
        : `se alcanzó el límite por minuto de su campaña; continúa el envío: ${until}`,
    dayCap: (until) =>
      until === null
        ? 'se agotó el límite diario de la marca'
        : `se agotó el límite diario de la marca; continúa el envío: ${until}`,
    retry: (until, code) => `se intenta otra vez (${until}), después de ${code}`,
    time: (until) => `no le toca salir antes de ${until}`,
    media: (until) =>
      until === null
        ? 'sus archivos aún no están listos'
        : `sus archivos no están listos; se intenta otra vez (${until})`,
    person: 'quizá ya salió; por eso una persona decide si se envía',
    turn: 'nada lo detiene; sale cuando hayan salido los anteriores',
    joined: (reasons) => reasons.join('; además, '),
  },

  gap: (time, reason) => `esperó ${time}: ${reason}`,
  still: (time, reason) => `espera desde hace ${time}: ${reason}`,
  reasons: {
    campaign: 'al ritmo del límite de su campaña',
    dayCap: 'se agotó el límite diario de la marca',
    quiet: 'el fin del horario de silencio de la empresa',
    media: 'se preparaban sus archivos',
    retry: (code) => `un nuevo intento después de ${code}`,
    receipt: 'el acuse del carrier',
    lateReceipt: 'un acuse tardío',
    answer: 'la respuesta del carrier',
    proof: 'un acuse que diga si había salido',
    person: 'la decisión de una persona',
    downUntil: (carrier, time) => `${carrier} estuvo caído hasta ${time}`,
    queue: 'en la cola de su carrier; el motivo no está registrado',
  },

  noReceipt: (time) => `Aún no hay acuse. El carrier lo tiene desde hace ${time}.`,
  usual: (carrier, time) => `${carrier} suele responder en ${time}`,
  lastHeard: (distance) => `último acuse suyo: ${distance}`,
  noneHeard: (carrier, looked) =>
    `Ninguno de sus ${numberText(looked)} mensajes más nuevos tuvo un acuse de ${carrier}, y ninguno llegó de él desde que arrancó la pasarela.`,

  again: 'Enviar otra vez',
  same: 'Reenviar el mismo contenido',
  sameHelp: 'Mismo texto, remitente, referencia y carrier',
  fresh: 'Reevaluar y enviar',
  freshHelp: 'Un mensaje nuevo según todas las reglas de hoy',
  edit: 'Editar como nuevo',
  resent: 'Enviado otra vez. Ahora es un mensaje aparte.',
  openNew: 'Abrirlo',
};

function sinceText(since: string | null): string {
  return since === null ? '' : ` desde ${since}`;
}

function ruleFacts({ prefix, number, kind, campaign, hours, weight, priority, share, carriers }: RuleFacts): string {
  return [
    prefix === '' ? 'todos los números' : `números que empiezan con ${prefix}`,
    ...(number === null ? [] : [`de ${number}`]),
    ...(kind === null ? [] : [`solo ${kind}`]),
    ...(campaign === null ? [] : [`campaña ${campaign}`]),
    ...(hours === null ? [] : [hoursText(hours)]),
    `prioridad ${priority}`,
    `peso ${weight}`,
    ...(share > 0 && share < 1 ? [`recibe ${percentText(share)}`] : []),
    ...(carriers.length > 1 ? [`carriers ${carriers.map(({ name }) => name).join(', luego ')}`] : []),
  ].join(', ');
}

export const outcomeLabels: Translated<typeof english.outcomeLabels> = {
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

export const requestLabels: Translated<typeof english.requestLabels> = {
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
