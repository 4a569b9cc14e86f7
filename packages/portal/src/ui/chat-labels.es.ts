/** The reply box and bubbles, on all pages; in Spanish. */
import type { Translated } from '../language/translated';
import type * as english from './chat-labels.en';

export const chatLabels: Translated<typeof english.chatLabels> = {
  details: 'detalles de este mensaje',
  send: 'Enviar',
  attach: 'Adjuntar imagen',
  attachFile: 'Adjuntar archivo',
  remove: (name) => `Quitar ${name}`,
  uploading: 'Subiendo',
  count: (segments, characters, encoding) =>
    segments > 1 ? `${characters} · ${encoding} · ${segments} segmentos` : `${characters} · ${encoding}`,
  tooLong: (segments, most) => `Demasiado largo: ${segments} segmentos, como máximo ${most}`,
  asMms: 'se envía como MMS',
  empty: 'Escriba algo o adjunte una imagen, y después envíe.',
  gone: 'Este archivo tuvo que dejar lugar a otros más nuevos.',
  open: 'Abrir',
  save: 'Guardar',
  saveNamed: (name) => `Guardar ${name}`,
  keys: 'Enter envía, Shift Enter comienza un renglón nuevo.',
};
