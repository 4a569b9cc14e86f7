/** The routing rules and their tester, in Spanish. */
import type { Translated } from '../../language/translated';
import type * as english from './labels.en';

const dayNames = { mon: 'lun', tue: 'mar', wed: 'mié', thu: 'jue', fri: 'vie', sat: 'sáb', sun: 'dom' } as const;
const dayOrder = Object.keys(dayNames) as (keyof typeof dayNames)[];

/** Consecutive days as a range: `lun–mié, sáb`. */
function daysText(days: readonly (keyof typeof dayNames)[]): string {
  const spans: number[][] = [];
  for (const day of dayOrder.filter((one) => days.includes(one))) {
    const at = dayOrder.indexOf(day);
    const last = spans.at(-1);
    if (last?.at(-1) === at - 1) last.push(at);
    else spans.push([at]);
  }
  const name = (at: number) => dayNames[dayOrder[at]!];
  return spans
    .flatMap((span) => (span.length < 3 ? span.map(name) : [`${name(span[0]!)}–${name(span.at(-1)!)}`]))
    .join(', ');
}

export function hoursText({ days, from, to }: english.Hours): string {
  const which = days.length === dayOrder.length ? 'todos los días' : daysText(days);
  if (from === to && from === '00:00') return which;
  return `${which} ${from}–${to}${from < to ? '' : ' (día siguiente)'}`;
}

function refusedText(kinds: readonly string[], prefix: string): string {
  const to = prefix === '' ? 'a todos los números' : `a números que empiezan con ${prefix}`;
  return `${kinds.join(' y ')} ${to} que lleguen a esta regla se rechazarían con NO_ROUTE, aunque corresponda una regla posterior.`;
}

const rulesText = (n: number) => (n === 1 ? '1 regla' : `${n} reglas`);

export const routeLabels: Translated<typeof english.routeLabels> = {
  title: 'Rutas',
  what: 'Por qué carrier va un mensaje. Las reglas se miran desde arriba: primero los prefijos más largos, después las que tienen más condiciones, después en el orden que usted les da. Las reglas con el mismo lugar se reparten según su peso.',
  add: 'Agregar regla',
  cancel: 'Cancelar',
  tabs: { rules: 'Reglas', versions: 'Versiones' },
  count: (shown, all) => `${shown === all ? '' : `${shown} de `}${rulesText(all)}`,
  search: 'Buscar reglas: id, número, campaña, carrier',
  exportCsv: 'Exportar CSV',
  nothingFits: {
    title: 'Ninguna regla coincide',
    detail: 'Busque una parte de su id, una campaña, un carrier, un número de envío o un destinatario.',
    clear: 'Mostrar todas las reglas',
  },
  empty: {
    title: 'No hay reglas: no se puede enviar nada.',
    detail:
      'Un mensaje al que no corresponde ninguna regla se rechaza con NO_ROUTE. Para empezar, agregue una para todos los números.',
  },
  columns: {
    rule: 'Regla',
    to: 'Destinatarios',
    from: 'Remitente',
    only: 'Solo para',
    carriers: 'Carriers, en orden de relevo',
    place: 'Lugar',
    actions: 'Acciones',
  },
  anyNumber: 'todos los números',
  anySender: 'cualquiera',
  anyKind: 'SMS y MMS',
  campaign: (id) => `campaña ${id}`,
  dayNames,
  hours: hoursText,
  prefix: (digits) => `empiezan con ${digits}`,
  place: (priority, weight) => `prioridad ${priority}, peso ${weight}`,
  up: (id) => `Subir ${id}`,
  down: (id) => `Bajar ${id}`,
  actions: (id) => `Acciones de ${id}`,
  menu: 'Acciones',
  edit: 'Editar',
  remove: 'Quitar',
  dragHelp:
    'Arrastre una regla por su asa o use sus flechas. Las reglas se mueven entre las que tienen el mismo prefijo y la misma cantidad de condiciones.',
  movedTo: (id, place, of) => `${id} es ahora la regla ${place} de ${of} en el borrador.`,
  fixedPlace: 'Su lugar resulta de su prefijo y sus condiciones.',
  form: {
    addTitle: 'Agregar una regla',
    editTitle: (id) => `Editar ${id}`,
    id: 'Id',
    idHelp: 'Para las personas: letras, dígitos, puntos y guiones.',
    environment: 'Entorno',
    prefix: 'Destinatarios que empiezan con',
    prefixHelp: 'Dígitos como 1 o 52. Vacío: todos los números.',
    number: 'Solo desde este número de envío',
    numberHelp: 'Vacío: cualquiera.',
    kind: 'Tipo',
    campaign: 'Solo para esta campaña',
    anyCampaign: 'cualquier campaña',
    campaignOf: (name, company) => `${name}, ${company}`,
    hours: 'Solo en ciertos horarios',
    hoursHelp: 'Según la zona horaria de la empresa que envía (Ajustes, Empresa); UTC si no tiene.',
    days: 'Días en que comienza',
    from: 'Desde',
    to: 'Hasta',
    timeHelp: 'Como 08:00. Si hasta no es posterior a desde: sigue en el día siguiente.',
    gap: 'Fuera de estos horarios es como si la regla no existiera: mantenga detrás una sin horarios.',
    carriers: 'Carriers, en orden de relevo',
    carriersHelp: 'Toma el mensaje el primero que está en servicio.',
    carrier: (place) => `Carrier ${place}`,
    noCarrier: 'ninguno',
    weight: 'Peso entre reglas iguales',
    priority: 'Prioridad',
    priorityHelp: 'La menor va primero entre las reglas con el mismo prefijo y la misma cantidad de condiciones.',
    save: 'Poner en el borrador',
  },
  untaken: {
    title: (kinds) => `Ninguno de sus carriers toma ${kinds.join(' ni ')}`,
    detail: (kinds, prefix) =>
      `${refusedText(kinds, prefix)} Elija el tipo o agregue un carrier que tome ${kinds.join(' y ')}.`,
    rule: (id, kinds, prefix) =>
      `${id}: ninguno de sus carriers toma ${kinds.join(' ni ')}. ${refusedText(kinds, prefix)}`,
    rules: (n) =>
      n === 1
        ? '1 regla es para mensajes que sus carriers no toman'
        : `${n} reglas son para mensajes que sus carriers no toman`,
    confirm: 'Publicar así: estos mensajes deben rechazarse',
  },
  discardDialog: {
    title: '¿Descartar el borrador?',
    what: (n) =>
      `${n === 1 ? 'Se pierde 1 regla cambiada' : `Se pierden ${n} reglas cambiadas`}. Las reglas publicadas quedan como están. No se puede deshacer.`,
    go: 'Descartar el borrador',
    stay: 'Conservar el borrador',
  },
  removeDialog: {
    title: (id) => `¿Quitar ${id}?`,
    consequence:
      'Sale del borrador. Cuando se publique, los mensajes nuevos a los que solo corresponde esta regla se rechazan con NO_ROUTE; lo que ya espera a un carrier se queda allí.',
    go: 'Quitar la regla',
  },
  draft: {
    title: (n) => `Borrador: ${n === 1 ? '1 regla difiere' : `${n} reglas difieren`} de lo publicado`,
    detail:
      'Solo lo tiene esta pestaña. Vea qué cambiaría y después publíquelo; hasta entonces los mensajes siguen las reglas publicadas.',
    impact: 'Ver qué cambiaría',
    discard: 'Descartar el borrador',
    caption: 'Lo que cambia el borrador',
    columns: { rule: 'Regla', how: 'Qué', fields: 'Campos' },
    how: { added: 'agregada', changed: 'cambiada', removed: 'quitada' },
    nothing: 'nada',
    field: (name, before, after) => `${name}: ${before} ⇒ ${after}`,
    value: (name, value) => `${name}: ${value}`,
    fields: {
      environment: 'entorno',
      prefix: 'destinatarios que empiezan con',
      number: 'remitente',
      kind: 'tipo',
      campaignId: 'campaña',
      hours: 'horarios',
      carrierIds: 'carriers',
      weight: 'peso',
      priority: 'prioridad',
    },
    behind: {
      title: 'Otra persona publicó otras reglas mientras tanto',
      detail:
        'Su borrador partió de reglas anteriores. Abajo está lo que cambió esa persona y, más abajo, lo que cambia usted. Ponga sus cambios sobre los de ella (una regla que ambos cambiaron queda como usted la quiere) o descarte su borrador.',
      rebase: 'Poner mis cambios sobre los suyos',
      theirs: 'Lo que cambió la otra persona',
    },
  },
  impact: {
    title: 'Qué cambiaría',
    noMessages: 'Aún no se envió ningún mensaje con el que probarlo.',
    summary: (looked, moved) =>
      moved === 0
        ? `${looked === 1 ? 'El último mensaje iría' : `Los últimos ${looked} mensajes irían`} por el mismo camino.`
        : `${looked === 1 ? 'Del último mensaje' : `De los últimos ${looked} mensajes`}, ${moved === 1 ? '1 iría' : `${moved} irían`} por otro camino.`,
    refused: (n) =>
      `${n === 1 ? '1 de ellos no iría' : `${n} de ellos no irían`} a ninguna parte: rechazados con NO_ROUTE, en todo o en parte.`,
    caption: 'Mensajes que irían por otro camino',
    columns: { before: 'Va a', after: 'Iría a', count: 'Mensajes', examples: 'Por ejemplo' },
    nowhere: 'a ninguna parte (NO_ROUTE)',
    share: (carrier, percent) => `${carrier} ${percent} %`,
    consequence:
      'Las reglas publicadas rigen de inmediato para los mensajes nuevos. Lo que ya espera a un carrier se queda allí. Las reglas actuales quedan entre las versiones.',
    back: 'Volver al borrador',
    publish: 'Publicar',
  },
  versions: {
    what: 'Las reglas después de cada cambio, lo haya hecho quien lo haya hecho; las últimas 200.',
    caption: 'Versiones de las reglas, las más nuevas primero',
    columns: { version: 'Versión', at: 'Hora', who: 'Quién', what: 'Qué', actions: 'Acciones' },
    before: 'tal como estaban',
    now: 'publicada ahora',
    rules: rulesText,
    compare: 'Comparar',
    compareThis: (version) => `versión ${version}`,
    compareTitle: (version) => `De las reglas actuales a la versión ${version}`,
    compareCaption: 'Qué cambiaría al volver atrás',
    consequence: 'Llevarla a un borrador aún no cambia nada: verá qué cambiaría antes de publicarla.',
    replaces: 'Reemplaza el borrador que tiene.',
    restore: 'Llevarla a un borrador',
    empty: {
      title: 'Aún no se guardó ningún cambio de las reglas.',
      detail: 'Con el próximo también se guardan las reglas anteriores.',
    },
  },
  tester: {
    title: '¿A dónde iría?',
    what: 'Solo consulta; no se envía nada.',
    from: 'De',
    to: 'Para',
    needed: 'Escriba un número de teléfono con su país, como 1 202 555 0100.',
    kind: 'Tipo',
    when: 'Día',
    now: 'ahora',
    clock: 'Hora del día',
    clockHelp: 'De la empresa que envía, como 08:00.',
    facts: (campaign, local, zone) =>
      `Consultado como ${campaign === null ? 'un remitente sin campaña' : `campaña ${campaign}`}, ${local} en ${zone}.`,
    local: (day, clock) => `${dayNames[day]} ${clock}`,
    go: 'Probar',
    published: 'Consulta las reglas publicadas, no su borrador.',
    unknownSender: 'Este remitente no es un número de esta pasarela; se consultaron las reglas de producción.',
    caption: 'Todas las reglas en el orden en que se consultan',
    columns: { rule: 'Regla', verdict: '¿Corresponde?', why: 'Por qué', carriers: 'Carriers' },
    refusals: {
      none: 'Tiene un camino',
      part: 'Se rechazan algunos de estos mensajes',
      all: 'Se rechaza: NO_ROUTE',
    },
    noCarrier: 'corresponde, y ningún carrier lo toma',
    taken: 'elegida',
    shared: (percent) => `elegida, ${percent} %`,
    behind: 'corresponde, detrás de otra',
    no: 'no',
    misses: {
      environment: ({ environment }) => `otro entorno: solo ${environment}`,
      prefix: ({ prefix }) => `otro prefijo: solo destinatarios que empiezan con ${prefix}`,
      number: ({ number }) => `otro remitente: solo desde ${number}`,
      kind: ({ kind }) => `otro tipo: solo ${kind}`,
      campaign: ({ campaignId = '' }) => `otra campaña: solo ${campaignId}`,
      hours: ({ hours }) => `otro horario: solo ${hours === undefined ? '' : hoursText(hours)}`,
    },
    fits: 'se cumplen todas las condiciones',
    carrierStates: {
      off: 'desactivado',
      kind: 'no toma este tipo',
      up: 'en servicio',
      down: 'caído',
      paused: 'en pausa',
    },
  },
};
