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
    byPasskey: 'Activada, con sus llaves de acceso. Su contraseña sola no basta para iniciar sesión.',
    begin: 'Configurar la verificación en dos pasos',
    beginToo: 'Configurar también una aplicación de autenticación',
    scan: 'Escanee este código con una aplicación de autenticación o escriba en ella el secreto. Después ingrese los seis dígitos que muestra.',
    qr: 'Código QR del secreto de abajo',
    secret: 'Secreto',
    code: 'Seis dígitos',
    finish: 'Activar',
    cancel: 'Cancelar',
    remove: 'Desactivar',
    removeTitle: '¿Desactivar la aplicación de autenticación?',
    removeWhat:
      'Sin una llave de acceso, quien conozca su contraseña podrá iniciar sesión en su nombre, y sus códigos de recuperación dejarán de servir.',
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
  passkeys: {
    title: 'Llaves de acceso',
    what: 'Con una llave de acceso inicia sesión sin correo, contraseña ni código: su dispositivo le pide el dedo, la cara o el PIN. Si tiene una, su contraseña sola ya no basta.',
    add: 'Agregar una llave de acceso',
    added: 'Agregada. Desde ahora puede iniciar sesión con ella.',
    name: 'Nombre',
    kind: 'Guardada',
    synced: 'Sincronizada entre sus dispositivos',
    oneDevice: 'En un solo dispositivo',
    since: 'Desde',
    used: 'Último uso',
    never: 'Nunca',
    actions: 'Acciones',
    rename: 'Cambiar el nombre',
    renameTitle: 'Nombre de esta llave de acceso',
    renameWhich: (name) => `Cambiar el nombre de ${name}`,
    remove: 'Quitar',
    removeTitle: (name) => `¿Quitar ${name}?`,
    removeWhich: (name) => `Quitar ${name}`,
    removeWhat:
      'Ya no sirve para iniciar sesión. Quítela también de su dispositivo, o allí se seguirá ofreciendo. Con su último segundo factor dejan de servir sus códigos de recuperación.',
    save: 'Guardar',
    cancel: 'Cancelar',
    notHere: 'Aquí no se puede agregar una llave de acceso',
    unable: 'Este navegador no tiene llaves de acceso aquí. Necesitan https, o el portal en este mismo equipo.',
    elsewhere: (at) => `Las llaves de acceso funcionan solo en ${at}. Abra el portal allí.`,
    none: {
      https: 'Las llaves de acceso necesitan https: la dirección pública de esta pasarela es de http simple.',
      'host name':
        'Las llaves de acceso necesitan un nombre de host: la dirección pública de esta pasarela es solo una dirección IP.',
      'no address':
        'Las llaves de acceso necesitan https y una dirección pública de esta pasarela. Su operador puede configurar HELIO_PUBLIC_URL.',
    },
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
    until:
      'Se le pide la verificación en dos pasos. Configure una aplicación de autenticación o una llave de acceso antes de',
    over: 'Se necesita la verificación en dos pasos',
    overWhat:
      'Se le pide, y el plazo para configurarla terminó. Configure en su perfil una aplicación de autenticación o una llave de acceso: después todo se abre de nuevo.',
    go: 'Configurarla',
  },
  viewAs: {
    on: (role) => `Visto como ${role}`,
    onMore: ': aquí no puede hacer más que ese rol.',
    end: 'Volver a ser usted',
  },
};
