/** The sign-in, in Spanish. */
import type { Translated } from '../../language/translated';
import type * as english from './labels.en';

export const signInLabels: Translated<typeof english.signInLabels> = {
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
  recoveryCode: 'Código de recuperación',
  recoveryCodeHelp: 'Uno de sus códigos de recuperación, si no tiene a mano su llave de acceso.',
  sso: {
    plain: 'Iniciar sesión con su empresa',
    named: (name) => `Iniciar sesión con ${name}`,
    operators: 'Los operadores inician sesión aquí',
  },
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
};
