/** A form whose record somebody else changed while it was open, in Spanish. */
import type { Translated } from '../language/translated';
import type * as english from './conflict-labels.en';

export const conflictLabels: Translated<typeof english.conflictLabels> = {
  title: 'Otra persona cambió esto mientras tanto',
  detail: 'Lo que usted escribió aún no se guardó. Los campos que no tocó quedan como están registrados ahora.',
  same: 'Lo que usted escribió es lo que está registrado ahora.',
  columns: { field: 'Campo', theirs: 'Registrado ahora', mine: 'Suyo' },
  theirs: 'Conservar lo registrado',
  mine: 'Guardar lo mío',
  empty: '—',
};
