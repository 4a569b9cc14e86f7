/** A forgotten password, in Spanish. */
import type { Translated } from '../../language/translated';
import type * as english from './reset-labels.en';

export const resetLabels: Translated<typeof english.resetLabels> = {
  title: '¿Olvidó su contraseña?',
  what: 'Escriba el correo electrónico con el que inicia sesión. Allí recibirá un enlace para elegir una contraseña nueva.',
  send: 'Enviarme un enlace',
  asked: 'Si alguien inicia sesión con este correo, el enlace está en camino',
  askedWhat: (email, minutes) =>
    `Revise el buzón de ${email}, también el correo no deseado. El enlace sirve una sola vez, durante ${minutes} minutos.`,
  toSignIn: 'Ir al inicio de sesión',
  over: 'Este enlace ya se usó o es demasiado antiguo. Pida otro.',
  newTitle: 'Elegir una contraseña nueva',
  as: (email) => `Inicia sesión como ${email}. Todas las demás sesiones terminan.`,
  set: 'Guardar la contraseña',
};
