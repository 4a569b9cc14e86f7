/** Setup and invitations, in Spanish. */
import type { Translated } from '../../language/translated';
import type * as english from './setup-labels.en';

export const setupLabels: Translated<typeof english.setupLabels> = {
  setup: {
    title: 'Crear el primer administrador',
    create: 'Crear administrador',
    again: 'Elegir una contraseña nueva',
    set: 'Guardar la contraseña e iniciar sesión',
    as: (email) => `Inicia sesión como ${email}. Todas las demás sesiones terminan.`,
    noKey: 'Esta dirección no tiene clave',
    over: 'Este enlace ya se usó o es demasiado antiguo',
    newLink: 'El enlace sirve una sola vez, durante 30 minutos. Con esto se obtiene uno nuevo:',
    command: 'npx helio admin login-link',
    later:
      'La verificación en dos pasos se puede agregar en su perfil; es obligatoria antes de conectar un carrier real.',
  },
  invitation: {
    title: 'Unirse a una empresa',
    what: (company, role) => `Lo invitaron a ${company} como ${role}.`,
    as: (email) => `Iniciará sesión como ${email}.`,
    accept: 'Unirse',
    over: 'Esta invitación ya se usó o venció',
    overWhat:
      'Si ya se unió, inicie sesión con su correo electrónico y su contraseña. Si no, pida un enlace nuevo a quien lo invitó: sirve una sola vez y por un tiempo limitado.',
  },
};
