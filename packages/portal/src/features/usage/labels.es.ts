/** Usage and billing, in Spanish. */
import { counted, numberText } from '../../language/formats';
import type { Translated } from '../../language/translated';
import type * as english from './labels.en';

export const usageWords: Translated<typeof english.usageWords> = {
  title: 'Consumo y facturación',
  period: {
    label: 'Período',
    thisMonth: 'Este mes',
    lastMonth: 'El mes pasado',
    last30: 'Últimos 30 días',
    last12: 'Últimos 12 meses',
    custom: 'Otros días',
    show: 'Mostrar',
    from: 'Desde',
    to: 'Hasta',
    utc: 'Los días son UTC. Un mensaje cuenta una vez, el día en que un carrier lo tomó.',
    wrong: 'Elija un primer día que no sea posterior al último, con 366 días de diferencia como máximo.',
  },
  sandbox: 'Este es el sandbox: todo se cuenta como si fuera real y no se factura a nadie.',
  figures: {
    cost: 'Costo',
    noCost: 'No hay precios definidos',
    smsMessages: 'Mensajes SMS',
    smsSegments: 'Segmentos SMS',
    mmsMessages: 'Mensajes MMS',
    unpriced: 'Sin precio',
  },
  unpriced: (count) =>
    `${counted(count, 'mensaje es', 'mensajes son')} de días anteriores al primer precio y no ${count === 1 ? 'entra' : 'entran'} en ningún costo.`,
  chart: {
    title: 'Mensajes por día',
    sms: 'SMS',
    mms: 'MMS',
    asTable: 'Ver como tabla',
    asChart: 'Ver como gráfico',
    label: 'Mensajes por día; las flechas pasan de un día a otro',
    day: (day, sms, mms) =>
      `${day}: ${counted(sms, 'mensaje SMS', 'mensajes SMS')}, ${counted(mms, 'mensaje MMS', 'mensajes MMS')}`,
    loading: 'Se está cargando el gráfico',
  },
  summary: (facts) => {
    const sms = `${counted(facts.sms, 'SMS', 'SMS')} en ${counted(facts.segments, 'segmento', 'segmentos')}`;
    const mms = counted(facts.mms, 'MMS', 'MMS');
    const busiest =
      facts.busiest === null
        ? ''
        : ` El día de más tráfico fue el ${facts.busiest}, con ${counted(facts.most, 'mensaje', 'mensajes')}.`;
    return `${sms} y ${mms}.${busiest}`;
  },
  by: {
    label: 'Tabla por',
    day: 'Día',
    number: 'Número',
    campaign: 'Campaña',
    country: 'País',
    carrier: 'Carrier',
    kind: 'Tipo',
    key: 'Clave de API',
  },
  none: { campaign: 'Sin campaña', country: 'País desconocido', other: 'Ninguno' },
  caption: (by) => `Consumo por ${by.charAt(0).toLowerCase()}${by.slice(1)}`,
  messages: { column: 'Mensajes', show: 'Mostrar', of: (what) => `Mostrar los mensajes: ${what}` },
  more: 'Mostrar más',
  exportCsv: 'Exportar CSV',
  empty: {
    title: 'Sin tráfico en este período.',
    next: 'Aparece aquí cerca de un segundo después de que un carrier toma un mensaje.',
    last: (month) => `El último tráfico fue en ${month}.`,
    show: 'Mostrar ese mes',
    send: 'Enviar un mensaje',
  },
  statement: {
    title: 'Resumen mensual',
    what: 'Una tabla (CSV): una línea por cada número, campaña, país y tipo, y por cada precio del mes; al final, el total.',
    month: 'Mes',
    download: 'Descargar CSV',
  },
  budget: {
    title: 'Presupuesto mensual',
    what: 'Lo que piensa gastar en un mes calendario (UTC). Desde el 80 % aparece aquí y en Inicio. Solo avisa: no se rechaza nada por él.',
    amount: (currency) => (currency === null ? 'Importe' : `Importe en ${currency}`),
    help: 'Como 250 o 99.50. Vacío para ninguno.',
    save: 'Guardar el presupuesto',
    none: 'No hay presupuesto definido.',
    noPrices: 'Aún no se compara con nada: esta empresa no tiene precios definidos.',
    used: (spent, monthly, currency, percent) =>
      `${currency} ${spent} de ${currency} ${monthly} usados este mes: ${numberText(percent)} %.`,
    within: 'Dentro',
    close: 'Casi agotado',
    over: 'Agotado',
    bar: 'Parte usada del presupuesto',
  },
  outcomes: {
    title: 'Qué pasó con ellos',
    what: 'Mensajes según el día (UTC) en que se aceptaron, y lo que ahora se sabe de ellos.',
    partly: (looked) => `Hubo más: estos son los ${numberText(looked)} más nuevos del período.`,
    by: { label: 'Resultados por', day: 'Día', number: 'Número', campaign: 'Campaña' },
    caption: (by) => `Resultados por ${by.toLowerCase()}`,
    columns: {
      delivered: 'Entregados',
      undelivered: 'No entregados',
      failed: 'No enviados',
      expired: 'Vencidos',
      unconfirmed: 'Sin acuse',
      open: 'En camino',
    },
    all: 'Todos',
    share: 'Entregados, %',
    asTable: 'Ver como tabla: resultados',
    asChart: 'Ver como gráfico: resultados',
    chart: 'Resultados por día; las flechas pasan de un día a otro',
    day: (day, named) =>
      `${day}: ${named.length === 0 ? 'ninguno' : named.map(([word, count]) => `${word} ${numberText(count)}`).join(', ')}`,
    messages: (count, of) => `${counted(count, 'mensaje', 'mensajes')}: ${of}`,
    exportCsv: 'Exportar resultados como CSV',
    none: 'No se aceptó nada en este período.',
    noCampaign: 'Sin campaña',
  },
  prices: {
    title: 'Lista de precios',
    caption: 'Los precios y desde cuándo rigen',
    from: 'Desde',
    sms: 'SMS, por segmento',
    mms: 'MMS, por mensaje',
    inForce: 'Vigente',
    later: 'Futuro',
    past: 'Pasado',
    state: 'Estado',
    set: 'Definir precios',
    none: 'Esta empresa no tiene precios definidos: los mensajes se cuentan y no se dice nada de su costo. Los precios los define el operador de esta pasarela.',
  },
};
