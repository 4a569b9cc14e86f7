/** A gateway that is unreachable, or that never answers; in Spanish. */
import type { Translated } from '../language/translated';
import type * as english from './labels.en';

const seconds = (ms: number): string => `${Math.round(ms / 1_000)} segundos`;

export const answerLabels: Translated<typeof english.answerLabels> = {
  unreadable: 'La pasarela no dio una respuesta que se pueda leer.',
  away: 'Este navegador no puede comunicarse con la pasarela.',
  absent: 'La pasarela no responde. Esta página se cargará cuando vuelva.',
  left: 'Usted decidió no continuar.',
  refusals: {
    NOT_SIGNED_IN: 'No ha iniciado sesión o su sesión terminó. Inicie sesión.',
    CROSS_SITE:
      'Esta solicitud no vino de una página de esta pasarela. Vuelva a cargar la página y repítala. No se cambió nada.',
    RECENT_SIGN_IN_NEEDED: 'Para esto se necesita su contraseña otra vez. No se cambió nada.',
    SECOND_FACTOR_NEEDED:
      'Se le pide la verificación en dos pasos, y el plazo para configurarla terminó. Configure en su perfil una aplicación de autenticación o una llave de acceso y después continúe. No se cambió nada.',
    NOT_FOUND: 'No existe, o no es de su empresa. Revise el id.',
    RATE_LIMITED: 'Demasiados intentos. Espere un momento y vuelva a intentarlo.',
    NOT_ACCEPTED: 'Lo que ingresó no es correcto.',
    'NOT_ACCEPTED.password': 'El correo electrónico o la contraseña no son correctos.',
    'NOT_ACCEPTED.current': 'Esta no es su contraseña.',
    'NOT_ACCEPTED.code': 'Este código no es correcto o ya se usó.',
    'NOT_ACCEPTED.response':
      'Esta llave de acceso no se conoce aquí, o se tardó demasiado. Inténtelo otra vez o inicie sesión de otra manera.',
    LINK_OVER: 'Este enlace ya se usó, venció o nunca existió.',
  },
  silent: {
    read: (ms) =>
      `La pasarela no respondió en ${seconds(ms)}. Puede estar muy ocupada o detenida. La consulta no cambió nada.`,
    write: (ms, look) => `La pasarela no respondió en ${seconds(ms)}, así que no se sabe si esto se hizo. ${look}`,
    look: {
      send: 'Mire en Mensajes antes de enviarlo otra vez: allí está lo que se aceptó.',
      messages: 'Mire estos mensajes en Mensajes antes de hacerlo otra vez.',
      any: 'Vuelva a cargar esta página y revise antes de hacerlo por segunda vez; la actividad de un registro y la auditoría nombran cada cambio.',
    },
  },
};
