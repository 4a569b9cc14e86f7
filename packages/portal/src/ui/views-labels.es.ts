/** Named searches, on every list; in Spanish. */
import type { Translated } from '../language/translated';
import type * as english from './views-labels.en';

export const viewLabels: Translated<typeof english.viewLabels> = {
  menu: 'Vistas',
  save: 'Guardar esta búsqueda…',
  manage: 'Quitar una vista…',
  saveTitle: 'Guardar esta búsqueda como vista',
  name: 'Nombre',
  nameWrong: 'Escriba un nombre.',
  kept: 'Las vistas se guardan en este navegador, solo para usted. En otro equipo no están.',
  notKept: 'Este navegador no guarda nada, así que la vista desaparece con la página.',
  nothing: 'Primero busque algo: una vista es una búsqueda con nombre.',
  saveIt: 'Guardar',
  manageTitle: 'Vistas guardadas',
  remove: (name) => `Quitar ${name}`,
  none: 'No hay vistas guardadas en este navegador.',
  close: 'Listo',
};
