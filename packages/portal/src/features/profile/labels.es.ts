/** The profile: name, language, password, second factor, sessions, keyboard; in Spanish. */
import type { Translated } from '../../language/translated';
import type * as english from './labels.en';

export const profileWords: Translated<typeof english.profileWords> = {
  title: 'Su perfil',
  about: {
    title: 'Usted',
    name: 'Nombre',
    email: 'Correo electrónico',
    role: 'Rol',
    operator: 'Operador',
    timeZone: 'Zona horaria',
    timeZoneHelp: 'En la que se le muestran las horas. Pase el cursor sobre una hora para ver UTC.',
    companyZone: 'La de mi empresa, o la de este navegador',
    language: 'Idioma',
    languageHelp: 'Del portal. Lo que envían y reciben sus números queda como se escribió.',
    save: 'Guardar',
    saved: 'Guardado.',
  },
  password: {
    title: 'Contraseña',
    current: 'Su contraseña actual',
    next: 'Contraseña nueva',
    empty: 'Complete este campo.',
    change: 'Cambiar la contraseña',
    changed: 'Su contraseña se cambió. Todas sus demás sesiones terminaron.',
    what: 'Se cierra la sesión en todos los demás navegadores en los que haya entrado.',
  },
  factor: {
    title: 'Verificación en dos pasos',
    off: 'Desactivada. Basta su contraseña para iniciar sesión.',
    on: 'Activada. Para iniciar sesión también se necesita un código de su autenticador.',
    begin: 'Configurar la verificación en dos pasos',
    scan: 'Escanee este código con una aplicación de autenticación o escriba en ella el secreto. Después ingrese los seis dígitos que muestra.',
    qr: 'Código QR del secreto de abajo',
    secret: 'Secreto',
    code: 'Seis dígitos',
    finish: 'Activar',
    cancel: 'Cancelar',
    remove: 'Desactivar',
    removeTitle: '¿Desactivar la verificación en dos pasos?',
    removeWhat:
      'Quien conozca su contraseña podrá iniciar sesión en su nombre. Sus códigos de recuperación dejarán de servir.',
    removeCode: 'Código',
    removeCodeHelp: 'El que su aplicación muestra ahora, o un código de recuperación.',
    left: (count) =>
      count === 1 ? `Queda ${count} código de recuperación.` : `Quedan ${count} códigos de recuperación.`,
    renew: 'Crear códigos de recuperación nuevos',
    renewTitle: '¿Crear códigos de recuperación nuevos?',
    renewWhat: (count) =>
      count === 1
        ? `El código anterior (${count}) deja de servir.`
        : `Los ${count} códigos anteriores dejan de servir.`,
    codesTitle: 'Sus códigos de recuperación',
    codesWhat:
      'Cada uno le permite iniciar sesión una vez cuando no tenga a mano su autenticador. Se muestran solo esta vez: guárdelos en un lugar distinto al de su contraseña.',
    download: 'Descargar',
    fileName: 'heliograph-codigos-de-recuperacion.txt',
    fileHead: 'Códigos de recuperación de Heliograph. Cada uno sirve una sola vez.',
    kept: 'Ya los guardé',
    leave: '¿Salir sin los códigos de recuperación?',
    leaveDetail:
      'No los descargó ni los copió, y no se pueden mostrar otra vez. Sin ellos no podrá iniciar sesión si pierde su autenticador.',
    stay: 'Quedarme aquí',
    leaveAnyway: 'Salir sin ellos',
  },
  sessions: {
    title: 'Dónde tiene la sesión iniciada',
    caption: 'Sus sesiones',
    browser: 'Navegador',
    address: 'Dirección',
    since: 'Desde',
    seen: 'Último uso',
    ends: 'Termina',
    action: 'Acción',
    current: 'Esta',
    end: 'Terminar',
    endWhich: (browser, address) => `Terminar la sesión de ${browser} en ${address}`,
    endOthers: 'Terminar todas las demás',
    only: 'Esta es su única sesión.',
    unknown: 'Navegador desconocido',
    on: (browser, system) => `${browser} en ${system}`,
  },
  density: {
    title: 'Listas',
    label: 'Altura de las filas',
    compact: 'Compacta',
    comfortable: 'Cómoda',
    help: 'Solo en este navegador.',
  },
  keys: {
    title: 'Teclado',
    single: 'Teclas sueltas',
    what: 'Letras como j, k, g y ? actúan de inmediato fuera de los campos. Desactívelas si le dicta a su computadora o si presiona teclas sin querer. Ctrl K funciona siempre.',
  },
  notify: {
    title: 'Notificaciones',
    what: 'Cuando alguien escribe a uno de sus números mientras usted mira otra cosa, este navegador puede avisarle. Muestra el número, nunca el texto.',
    switch: 'Avisarme de las respuestas en este navegador',
    denied:
      'Las notificaciones de esta página están bloqueadas en la configuración de su navegador. Permítalas allí primero.',
    unable: 'Este navegador no tiene notificaciones aquí. Requieren https, o el portal en este mismo equipo.',
  },
  factorDue: {
    until: 'Su empresa pide la verificación en dos pasos. Configure la suya antes de',
    over: 'Se necesita la verificación en dos pasos',
    overWhat:
      'Su empresa la pide, y el plazo para configurar la suya terminó. Configúrela en su perfil: después todo se abre de nuevo.',
    go: 'Configurarla',
  },
  viewAs: {
    on: (role) => `Visto como ${role}`,
    onMore: ': aquí no puede hacer más que ese rol.',
    end: 'Volver a ser usted',
  },
};
