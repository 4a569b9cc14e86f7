/** The start page's figures, in Spanish. */
import { counted } from '../../language/formats';
import type { Translated } from '../../language/translated';
import type { figureLabels as english } from './figures-labels.en';

const periods = { '24h': 'Últimas 24 horas', '7d': 'Últimos 7 días', '30d': 'Últimos 30 días' } as const;

export const figureLabels: Translated<typeof english> = {
  periods,
  choose: 'Período',
  short: { '24h': '24 horas', '7d': '7 días', '30d': '30 días' },
  behind: 'Todavía se cuentan mensajes anteriores: estas cifras son demasiado bajas.',
  names: {
    deliveryRate: 'Tasa de entrega',
    sent: 'Enviados',
    failed: 'Fallidos',
    replies: 'Respuestas',
    medianMs: 'Tiempo mediano de entrega',
  },
  about: {
    deliveryRate: 'Entregados, de los mensajes con resultado',
    sent: 'Tomados por un carrier',
    failed: 'No entregados, vencidos o no enviados',
    replies: 'Mensajes recibidos',
    medianMs: 'La mitad de los mensajes entregados no tardó más, desde la aceptación',
  },
  none: '—',
  slower: (time) => `${time} más lento`,
  faster: (time) => `${time} más rápido`,
  chart: 'Enviados y fallidos',
  table: 'Ver como tabla',
  asChart: 'Ver como gráfico',
  from: 'Desde',
  series: { delivered: 'entregados', waiting: 'aún sin resultado', failed: 'fallidos' },
  columns: {
    sent: 'Enviados',
    delivered: 'Entregados',
    waiting: 'Aún sin resultado',
    failed: 'Fallidos',
    replies: 'Respuestas',
  },
  bar: (when, delivered, waiting, failed) =>
    `${when}: ${counted(delivered, 'entregado', 'entregados')}, ${counted(waiting, 'aún sin resultado', 'aún sin resultado')}, ${counted(failed, 'fallido', 'fallidos')}`,
  summary: (period, sent, delivered, failed) =>
    `${periods[period]}: ${counted(sent, 'mensaje enviado', 'mensajes enviados')}, ${counted(delivered, 'entregado', 'entregados')}, ${counted(failed, 'fallido', 'fallidos')}.`,
  quiet: 'En este tiempo no se envió ni se recibió nada.',
  reasons: {
    title: 'Por qué fallaron mensajes',
    none: 'No falló ninguno.',
    reason: 'Motivo',
    trend: 'Tendencia',
    count: 'Mensajes',
    change: 'Frente a antes',
    more: (count) => `${count} más`,
    less: (count) => `${count} menos`,
    isNew: 'nuevo',
    means: (code) => `Qué significa ${code}`,
    most: (count) => `como máximo ${counted(count, 'mensaje', 'mensajes')} por barra`,
  },
};
