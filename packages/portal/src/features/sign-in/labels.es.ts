/** Sign-in, set-up and invitations, in Spanish. */
import type { Translated } from '../../language/translated';
import type * as english from './labels.en';

export const signInWords: Translated<typeof english.signInWords> = {
  language: 'Idioma',
  signIn: 'Iniciar sesión',
  email: 'Correo electrónico',
  name: 'Su nombre',
  company: 'Nombre de la empresa',
  password: 'Contraseña',
  show: 'Mostrar',
  hide: 'Ocultar',
  strength: {
    rule: (charactersMin) =>
      `Al menos ${charactersMin} caracteres. Unas cuantas palabras seguidas son mejores que signos raros.`,
    short: (missing) => (missing === 1 ? 'Falta 1 carácter.' : `Faltan ${missing} caracteres.`),
    fair: 'Bien. Más larga es aún mejor.',
    good: 'Segura.',
  },
  twoFactor: 'Segundo factor',
  code: 'Código',
  codeHelp: 'Seis dígitos de su autenticador o uno de sus códigos de recuperación.',
  back: 'Volver',
  forgot: '¿Olvidó su contraseña?',
  out: {
    title: 'Se cerró su sesión: se terminó desde otro navegador, se cambió la contraseña o se acabó su tiempo.',
    detail:
      'Inicie sesión para seguir donde estaba. Los mensajes que empezó siguen entre sus borradores en este navegador.',
  },
  nobody: {
    title: 'Aún no hay administrador',
    detail: 'Abra el enlace de un solo uso que la pasarela mostró al arrancar, o cree uno en su equipo:',
    commands: 'npx helio admin login-link\nnpx helio admin create --email usted@example.com',
  },
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
