/** A sign-in through the identity provider, in Spanish. */
import type { Translated } from '../../language/translated';
import type * as english from './sso-labels.en';

export const ssoLabels: Translated<typeof english.ssoLabels> = {
  title: 'Iniciar sesión',
  refused: 'No se inició la sesión',
  toSignIn: 'Ir al inicio de sesión',
  refusals: {
    SSO_OFF: 'Esta pasarela no tiene proveedor de identidad.',
    SSO_UNREACHABLE: 'No se puede llegar ahora al proveedor de identidad. Inténtelo otra vez o avise a su operador.',
    SSO_DENIED: 'El inicio de sesión se terminó en el proveedor de identidad. Empiece otra vez si quiere entrar.',
    SSO_ISSUER: 'La respuesta vino de otro proveedor de identidad que el de esta pasarela. Empiece otra vez.',
    SSO_CLOCK: 'Los relojes del proveedor de identidad y de esta pasarela no coinciden. Avise a su operador.',
    SSO_STATE: 'Este inicio de sesión se empezó en otro navegador o hace más de diez minutos. Empiece otra vez.',
    SSO_ANSWER: 'La respuesta del proveedor de identidad no es válida. Empiece otra vez o avise a su operador.',
    SSO_SETTINGS: 'El proveedor de identidad rechaza a esta pasarela: sus ajustes no coinciden. Avise a su operador.',
    SSO_NO_ADDRESS: 'El proveedor de identidad no dio su correo electrónico, y aquí todavía no se lo conoce.',
    SSO_UNVERIFIED:
      'El proveedor de identidad no ha verificado su correo electrónico. Verifíquelo allí y empiece otra vez.',
    SSO_DOMAIN: 'Con el dominio de su correo electrónico no se puede iniciar sesión aquí.',
    SSO_UNKNOWN: 'Aquí no se conoce a nadie con su correo electrónico. Pida a su empresa que lo invite.',
    SSO_LINKED: 'Su correo electrónico es aquí de otra persona del proveedor de identidad. Avise a su operador.',
    SSO_ROLE:
      'Su cuenta en el proveedor de identidad no tiene ningún rol aquí. Hable con quien da los accesos en su empresa.',
    SSO_COMPANY: 'Su cuenta en el proveedor de identidad no es de ninguna empresa de aquí. Avise a su operador.',
    SSO_OTHER_COMPANY: 'Aquí usted es de otra empresa que la que dice el proveedor de identidad. Avise a su operador.',
    SSO_DISABLED: 'Su usuario está desactivado aquí. Hable con un Propietario o Administrador de su empresa.',
    SSO_CHANGED: 'Su usuario se cambió en este momento. Empiece otra vez.',
    RATE_LIMITED: 'Demasiados intentos. Espere un momento y vuelva a intentarlo.',
  },
};
