/** Passkeys, in Spanish. */
import type { Translated } from '../../language/translated';
import type * as english from './passkey-labels.en';

export const passkeyWords: Translated<typeof english.passkeyWords> = {
  use: 'Usar una llave de acceso',
  needsHttps: 'Su llave de acceso funciona solo por https, y esta página llegó por http simple.',
  ended: {
    left: 'No se eligió ninguna llave de acceso.',
    known: 'Este dispositivo ya tiene una llave de acceso suya.',
    address: 'Las llaves de acceso no funcionan en esta dirección. Abra el portal en su dirección pública.',
    failed: 'El navegador o el dispositivo no pudo hacerlo.',
  },
};
