/** Quiet hours, in Spanish. */
import type { Translated } from '../../language/translated';
import type * as english from './quiet-labels.en';

export const quietLabels: Translated<typeof english.quietLabels> = {
  title: 'Horario de silencio',
  what: 'Lo que su empresa envía en este horario se acepta y espera hasta que termine. Las respuestas a STOP, START y HELP salen de inmediato.',
  none: 'No hay ninguno: los mensajes salen a cualquier hora.',
  noZone: 'Su empresa aún no tiene zona horaria, así que rige UTC. Elija una arriba.',
  nowOpen: (begins, ends, zone) => `Ahora se envía. Próximo silencio: ${begins} – ${ends} (${zone}).`,
  nowQuiet: (ends, zone) => `En silencio ahora, hasta ${ends} (${zone}).`,
  today: (clock) => `hoy ${clock}`,
  tomorrow: (clock) => `mañana ${clock}`,
  onDay: (day, clock) => `el ${day} ${clock}`,
  on: 'Respetar un horario de silencio',
  from: 'Desde',
  to: 'Hasta',
  days: 'Días en que comienza',
  daysHelp: 'La noche del viernes al sábado es del viernes.',
  dayNames: { mon: 'lun', tue: 'mar', wed: 'mié', thu: 'jue', fri: 'vie', sat: 'sáb', sun: 'dom' },
  everyDay: 'todos los días',
  except: 'Campañas que envían a cualquier hora',
  exceptHelp: 'Marque las campañas de contraseñas de un solo uso: un código que llega por la mañana ya no abre nada.',
  noCampaigns: 'Aún no tiene campañas.',
  fact: (from, to, days) => `${from} – ${to}, ${days}`,
  save: 'Guardar el horario de silencio',
  saved: 'Guardado. Rige desde ahora; lo que esperaba y ya no debe esperar sale de inmediato.',
  home: (until) => `Horario de silencio: lo que se envía ahora espera hasta ${until}.`,
  homeLink: 'Horario de silencio',
};
