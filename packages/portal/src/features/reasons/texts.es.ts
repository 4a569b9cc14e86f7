/** What each code means, in Spanish: the catalogue of the gateway by scope and code. */
import type { ReasonTexts } from './labels.en';

export const reasonTexts: ReasonTexts = {
  request: {
    SUCCESS: {
      title: 'La solicitud se aceptó',
      cause: ['Todo lo que se puede comprobar antes de enviar está en orden, y el mensaje está guardado.'],
      fix: ['Lea en `schema.resultResponses` el resultado de cada destinatario.'],
    },
    NOT_AUTHORIZED: {
      title: 'No se aceptaron las credenciales',
      cause: [
        'El Bearer Token o el Auth Token falta, está mal escrito, venció o fue revocado.',
        'Los dos tokens son de pares de claves distintos.',
        'El par de claves no tiene el permiso para esta llamada, o no se puede usar desde esta dirección.',
      ],
      fix: [
        'Envíe ambos: el encabezado `Authorization: Bearer <Bearer Token>` y el parámetro `apikey=<Auth Token>`.',
        'Copie otra vez ambos tokens de un mismo par, o cree un par nuevo.',
        'Revise los permisos y las direcciones permitidas del par.',
      ],
    },
    ACCOUNT_SUSPENDED: {
      title: 'La cuenta está suspendida',
      cause: ['Un operador suspendió la cuenta a la que pertenecen estas credenciales.'],
      fix: ['Pregunte al operador de esta pasarela.'],
    },
    INVALID_REQUEST: {
      title: 'No se pudo entender la solicitud HTTP',
      cause: [
        'Lo que llegó no es HTTP/1.1 bien formado. El mismo motivo viene con HTTP 431 cuando los encabezados son demasiado grandes, con HTTP 408 cuando la solicitud llegó demasiado despacio y con HTTP 421 cuando el encabezado `Host` tiene un nombre que no es del gateway (`HELIO_PUBLIC_URL`, `HELIO_ALLOWED_HOSTS`).',
      ],
      fix: ['Use un cliente HTTP común y revise los proxies entre él y la pasarela.'],
    },
    UNSUPPORTED_CONTENT_TYPE: {
      title: 'El cuerpo no es de un tipo que esta operación acepte',
      cause: [
        'Falta `Content-Type` o no es `application/json` en UTF-8.',
        'El cuerpo está comprimido (`Content-Encoding`).',
        'Un archivo subido está vacío o, por su contenido, no es de ninguno de los tipos que un mensaje puede llevar.',
      ],
      fix: [
        'Envíe `Content-Type: application/json`.',
        'Envíe el cuerpo sin comprimir.',
        'Suba como cuerpo un archivo completo JPEG, PNG, GIF, WebP, MP4, 3GP, vCard, AMR o MP3.',
      ],
    },
    BODY_TOO_LARGE: {
      title: 'El cuerpo es demasiado grande',
      cause: [
        'El cuerpo de la solicitud supera el límite que muestra `GET /limits`.',
        'Un archivo subido supera los 5 MB, o es una imagen con demasiados píxeles.',
      ],
      fix: [
        'Reparta los destinatarios, o las entradas de una importación, en varias solicitudes.',
        'Suba un archivo más pequeño.',
      ],
    },
    INVALID_JSON: {
      title: 'El cuerpo no es JSON aceptable',
      cause: [
        'El cuerpo no es JSON, o no es UTF-8.',
        'La misma clave aparece dos veces en un objeto, y cada programa lo lee de otra manera.',
        'Los objetos o arreglos están anidados con demasiada profundidad.',
      ],
      fix: [
        'Deje que una biblioteca JSON escriba el cuerpo en lugar de unir cadenas.',
        'Envíe cada clave una sola vez.',
        'Envíe solo los campos documentados.',
      ],
    },
    MISSING_FIELD: {
      title: 'Falta un campo obligatorio',
      cause: ['`from`, `to` o `text` no está o es null; `detail` lo nombra.'],
      fix: ['Agregue el campo que nombra `detail`.'],
    },
    INVALID_FIELD: {
      title: 'Un campo tiene un valor que no puede tener',
      cause: [
        'Un campo, parámetro o encabezado tiene un tipo equivocado o un valor fuera de su rango; `detail` lo nombra.',
      ],
      fix: ['Corrija lo que nombra `detail`.'],
    },
    INVALID_REFERENCE_ID: {
      title: 'referenceId no se puede usar',
      cause: ['`referenceId` no es una cadena de 1 a 128 caracteres, o contiene NUL o medio par sustituto.'],
      fix: ['Envíe una cadena de 1 a 128 caracteres, u omita el campo.'],
    },
    EMPTY_RECIPIENTS: {
      title: 'No hay destinatarios',
      cause: ['`to` es un arreglo vacío.'],
      fix: ['Ponga al menos un número en `to`.'],
    },
    TOO_MANY_RECIPIENTS: {
      title: 'Hay demasiados destinatarios',
      cause: ['`to` tiene más números de los que `GET /limits` permite en una solicitud.'],
      fix: ['Reparta los destinatarios en varias solicitudes.'],
    },
    TEXT_EMPTY: {
      title: 'No hay nada que enviar',
      cause: ['`text` está vacío o en blanco y no hay archivos.'],
      fix: ['Envíe un texto, o al menos una URL en `mediaUrls`.'],
    },
    TEXT_TOO_LONG: {
      title: 'El texto es demasiado largo',
      cause: [
        '`text` necesita más segmentos (SMS) o tiene más caracteres (MMS) de los que permite `GET /limits`; `detail` dice cuál.',
      ],
      fix: ['Acorte el texto. Un carácter fuera de GSM-7 reduce a menos de la mitad lo que cabe en un SMS.'],
    },
    INVALID_MEDIA_URL: {
      title: 'No se puede usar una URL de archivo',
      cause: [
        'Una entrada de `mediaUrls` no es una URL http o https, es demasiado larga o contiene un usuario o una contraseña.',
      ],
      fix: ['Use URL http o https simples y accesibles públicamente.'],
    },
    TOO_MANY_MEDIA: {
      title: 'Hay demasiados archivos',
      cause: ['`mediaUrls` tiene más entradas de las que permite `GET /limits`.'],
      fix: ['Envíe menos archivos en un mensaje.'],
    },
    NOT_WAITING: {
      title: 'El mensaje ya no espera',
      cause: [
        'Un mensaje se puede cancelar mientras está `queued` o `held`. Este se está enviando, se envió o terminó.',
      ],
      fix: ['Nada. `detail` nombra su estado; un mensaje que salió no se puede retirar.'],
    },
    NOT_FOUND: {
      title: 'Aquí no hay nada',
      cause: ['Ninguna operación tiene esta ruta.', 'La cuenta no tiene ningún objeto con este id.'],
      fix: ['Revise la ruta: se envía con `POST /SendSMS`.', 'Revise el id y las credenciales.'],
    },
    METHOD_NOT_ALLOWED: {
      title: 'Esta ruta no acepta este método',
      cause: ['La ruta existe, pero no para este método HTTP; el encabezado `Allow` nombra los que acepta.'],
      fix: ['Use un método que nombre `Allow`: se envía con `POST /SendSMS`.'],
    },
    INVALID_SENDER: {
      title: 'from no es ni un número ni un nombre',
      cause: [
        '`from` no son dígitos en E.164 sin el signo más, ni un código corto de 5 o 6 dígitos, ni un nombre de hasta 11 letras y dígitos.',
      ],
      fix: ['Escriba el número con código de país y solo dígitos, por ejemplo `12025550199`.'],
    },
    SENDER_NOT_FOUND: {
      title: 'El número de envío no es de esta cuenta',
      cause: [
        'El número de `from` no está en la cuenta de estas credenciales.',
        'Se usó una clave del sandbox con un número de producción, o al revés.',
      ],
      fix: ['Use uno de los números de la cuenta.', 'Use el par de claves del mismo entorno que el número.'],
    },
    SENDER_NOT_ENABLED: {
      title: 'El número de envío está desactivado para este tipo de mensaje',
      cause: [
        'SMS no está activado para el número de `from`, MMS está desactivado, o el par de claves no puede enviar desde este número; `detail` dice cuál.',
      ],
      fix: ['Actívelo para el número, o permita el número para el par de claves, y envíe otra vez.'],
    },
    CAMPAIGN_REQUIRED: {
      title: 'El número de envío no tiene una campaña aprobada',
      cause: [
        'El número de `from` no está en ninguna campaña 10DLC, o su campaña aún no está aprobada. Los carriers bloquean ese tráfico.',
        'El número es gratuito (toll-free) o un código corto, y no consta como verificado.',
      ],
      fix: [
        'Ponga el número en una campaña aprobada.',
        'Cuando los carriers hayan aprobado un número gratuito o un código corto, pida al operador de la puerta de enlace que lo anote.',
      ],
    },
    CAMPAIGN_NOT_ACTIVE: {
      title: 'La campaña del número de envío está suspendida o venció',
      cause: ['La campaña se aprobó alguna vez, pero ahora no está activa.'],
      fix: ['Resuelva la suspensión o renueve la campaña, o pase el número a otra.'],
    },
    IDEMPOTENCY_KEY_REUSED: {
      title: 'La Idempotency-Key se usó para otra solicitud',
      cause: ['La misma `Idempotency-Key` llegó con otro cuerpo dentro del tiempo en que las claves se conservan.'],
      fix: ['Use una clave nueva para cada mensaje nuevo, y la misma solo para repetir exactamente el mismo cuerpo.'],
    },
    SPEND_LIMIT_REACHED: {
      title: 'Se alcanzó el límite del período',
      cause: [
        'El par de claves agotó su tope diario (días UTC), o la solicitud tiene más destinatarios de los que quedan.',
      ],
      fix: ['Suba el tope en Claves de API, envíe a menos o espere al día siguiente.'],
    },
    RATE_LIMITED: {
      title: 'Demasiadas solicitudes',
      cause: ['El par de claves o la cuenta envía más solicitudes por segundo de las permitidas.'],
      fix: [
        'Espere lo que dice `Retry-After` y envíe otra vez la misma solicitud. Una solicitud puede tener muchos destinatarios.',
      ],
    },
    TEMPORARILY_UNAVAILABLE: {
      title: 'La pasarela no puede tomar la solicitud ahora',
      cause: [
        'La pasarela está arrancando, deteniéndose o sobrecargada, o no se puede escribir en su almacén.',
        'Los mensajes a estos destinatarios esperarían por su carrier más de lo que permite su cuenta.',
        'Solo cuando `detail` dice que pudo haberse aceptado: PostgreSQL se perdió durante la escritura y no volvió a tiempo.',
      ],
      fix: ['Espere lo que dice `Retry-After` y envíe otra vez la misma solicitud con la misma `Idempotency-Key`.'],
    },
    INTERNAL_ERROR: {
      title: 'La pasarela cometió un error',
      cause: ['Una falla interna de la pasarela.'],
      fix: [
        'Envíe otra vez la misma solicitud con la misma `Idempotency-Key`. Si continúa, dé al operador el `X-Request-Id`.',
      ],
    },
  },
  recipient: {
    SUCCESS: {
      title: 'Aceptado para enviar a este número',
      cause: ['El mensaje a este número está guardado y en camino.'],
      fix: ['Nada. Lo que pase con él se informa por webhook y se ve al consultar el mensaje.'],
    },
    INVALID_NUMBER: {
      title: 'No es un número de teléfono',
      cause: [
        'La entrada no son dígitos en E.164 sin el signo más, o no es un número posible del plan norteamericano.',
      ],
      fix: ['Escriba el número con código de país y solo dígitos, por ejemplo `12025550100`.'],
    },
    SENDER_EQUALS_RECIPIENT: {
      title: 'El número se escribiría a sí mismo',
      cause: ['La entrada es el mismo número que `from`.'],
      fix: ['Use otro destinatario.'],
    },
    DUPLICATE_RECIPIENT: {
      title: 'El número ya está en la lista',
      cause: ['Una entrada anterior de `to` es el mismo número; a esa se le envía.'],
      fix: ['Nada, o quite el duplicado.'],
    },
    DESTINATION_NOT_ALLOWED: {
      title: 'La cuenta no puede enviar a este país',
      cause: ['El país del número no está entre los destinos permitidos de la cuenta.'],
      fix: ['Pida al operador que permita el país.'],
    },
    OPTED_OUT: {
      title: 'Esta persona no quiere mensajes',
      cause: [
        'El destinatario respondió STOP (u otra palabra de baja) a un número de esta campaña.',
        'La baja se ingresó a mano, por la API o por una importación, o la informó un carrier.',
      ],
      fix: ['Quite el número de su lista. La persona se suscribe otra vez si responde START.'],
    },
    NO_ROUTE: {
      title: 'Ningún carrier toma mensajes para este número',
      cause: [
        'Ningún carrier activado ni regla de enrutamiento corresponde al número.',
        'El mensaje tiene archivos y ningún carrier de la ruta toma MMS. `mmsFallback` actúa solo sobre un MMS que se aceptó.',
      ],
      fix: ['Pida al operador que agregue una ruta.', 'Envíe en su lugar un texto con un enlace.'],
    },
    RATE_LIMITED: {
      title: 'Demasiados mensajes a este número',
      cause: ['La cuenta envió a este destinatario, en poco tiempo, más mensajes de los permitidos.'],
      fix: ['Espere un poco y envíe otra vez a este destinatario.'],
    },
    BLOCKED_BY_FRAUD_GUARD: {
      title: 'Un número de tarifa especial, o un rango conocido por fraude',
      cause: [
        'El número es de tarifa especial, de costo compartido, personal o satelital: su dueño puede ganar con los SMS que recibe. A tales números se llega casi siempre por el abuso de un formulario que envía SMS.',
      ],
      fix: [
        'Proteja el formulario que dispara sus mensajes: limítelo por persona y por dirección.',
        'Si de verdad quiere ese número, un Propietario desactiva la protección en Empresa, donde el operador lo permita.',
      ],
    },
  },
  outcome: {
    DELIVERED: {
      title: 'Entregado',
      cause: ['El carrier informa que el teléfono tiene el mensaje.'],
      fix: ['Nada.'],
    },
    UNREACHABLE: {
      title: 'No se pudo alcanzar el teléfono',
      cause: ['El teléfono estuvo apagado, sin cobertura o lleno hasta que el carrier desistió.'],
      fix: ['Intente más tarde.'],
    },
    UNKNOWN_SUBSCRIBER: {
      title: 'El número no está en uso',
      cause: ['El carrier no conoce ningún abonado con este número.'],
      fix: ['Quite el número de su lista.'],
    },
    NOT_MOBILE: {
      title: 'El número no puede recibir SMS',
      cause: ['Es una línea fija u otra línea sin mensajería.'],
      fix: ['Use un número móvil.'],
    },
    EXPIRED: {
      title: 'Antes terminó su validez',
      cause: [
        'Esperó en la cola hasta que terminó su validez y nunca se intentó: su estado es `expired`.',
        'El carrier lo tomó y desistió antes de poder alcanzar el teléfono: su estado es `undelivered`.',
      ],
      fix: ['Envíe otra vez, con más `validityMinutes` si puede esperar.', 'Envíe otra vez más tarde.'],
    },
    CANCELED: {
      title: 'Cancelado',
      cause: ['Una persona canceló el mensaje, o lo eliminó el carrier.'],
      fix: ['Envíe otra vez si aún lo quiere.'],
    },
    CARRIER_REJECTED: {
      title: 'El carrier rechazó el mensaje',
      cause: ['El carrier dio un motivo que aquí no tiene código propio; vea `carrierCode`.'],
      fix: ['Busque `carrierCode` en los documentos del carrier, o pregunte al operador.'],
    },
    CARRIER_FILTERED: {
      title: 'Filtrado como spam',
      cause: ['El contenido o el patrón del tráfico cayó en un filtro del carrier.'],
      fix: ['Envíe aquello para lo que se registró la campaña; evite los acortadores de enlaces públicos.'],
    },
    CARRIER_OPTED_OUT: {
      title: 'El carrier tiene una baja',
      cause: ['El destinatario se dio de baja con el carrier. La pasarela también lo anota en su propia lista.'],
      fix: ['Quite el número de su lista.'],
    },
    CAMPAIGN_LIMIT: {
      title: 'La campaña excede su ritmo en el carrier',
      cause: [
        'El carrier permite a esta campaña menos tráfico del que se envió.',
        'Mientras el mensaje está en cola: espera su turno, porque se agotaron los mensajes de la campaña en este minuto.',
      ],
      fix: ['Distribuya el tráfico o suba la clase de la campaña.'],
    },
    DAILY_CAP_REACHED: {
      title: 'Se alcanzó el tope diario de la marca',
      cause: [
        'El carrier no toma hoy más mensajes de esta marca, y la validez termina antes de que el tope se reinicie.',
        'Mientras el mensaje está en cola: espera el reinicio a medianoche, hora del Pacífico.',
      ],
      fix: ['Envíe otra vez después del reinicio, o suba la clase de la marca.'],
    },
    QUIET_HOURS: {
      title: 'Espera el fin del horario de silencio de la empresa',
      cause: ['El mensaje se aceptó o se intentó a una hora en la que la empresa no envía nada.'],
      fix: [
        'Espere: sale por sí solo. Las campañas exceptuadas, como las contraseñas de un solo uso, salen a cualquier hora.',
      ],
    },
    CARRIER_UNAVAILABLE: {
      title: 'El carrier no lo tomó a tiempo',
      cause: [
        'El carrier estuvo caído, lleno o frenando hasta que terminó la validez: su estado es `expired`.',
        'Para entonces había tomado algunos segmentos de un mensaje largo y otros no: su estado es `failed`.',
      ],
      fix: ['Envíe otra vez.'],
    },
    MALFORMED: {
      title: 'El carrier no pudo leer el mensaje',
      cause: ['Un ajuste de la conexión no es adecuado para el carrier.'],
      fix: ['Dé al operador el `messageId`.'],
    },
    MEDIA_UNREACHABLE: {
      title: 'No se pudo descargar un archivo',
      cause: ['La URL no respondió a tiempo o respondió con un error.'],
      fix: ['Compruebe que la URL se abra desde internet sin iniciar sesión.'],
    },
    MEDIA_BLOCKED: {
      title: 'No se permite abrir una URL de archivo',
      cause: ['La URL lleva a una dirección o un puerto privado, local o prohibido por otra razón.'],
      fix: ['Use una URL accesible públicamente.'],
    },
    MEDIA_TOO_LARGE: {
      title: 'Un archivo es demasiado grande',
      cause: ['El archivo supera el límite y no se pudo reducir lo suficiente.'],
      fix: ['Use un archivo más pequeño.'],
    },
    MEDIA_TYPE_NOT_SUPPORTED: {
      title: 'Un archivo es de un tipo que no se puede enviar',
      cause: ['El contenido (no el nombre) es de un tipo que MMS no lleva, o el archivo está dañado.'],
      fix: ['Use JPEG, PNG, GIF, WebP, MP4, 3GP, vCard, AMR o MP3.'],
    },
    MMS_NOT_SUPPORTED: {
      title: 'El destinatario no puede recibir MMS',
      cause: ['El carrier o el teléfono del destinatario no acepta MMS.'],
      fix: ['Envíe en su lugar un texto con un enlace. Si `mmsFallback` de la cuenta es `links`, eso se hace solo.'],
    },
    NO_RECEIPT: {
      title: 'El carrier nunca dijo qué pasó con él',
      cause: [
        'No llegó ningún acuse durante la espera, que es de 72 horas para un carrier real. El mensaje bien puede haber llegado.',
      ],
      fix: ['No envíe otra vez solo por esto.'],
    },
    UNCERTAIN: {
      title: 'No se sabe si el carrier lo tiene',
      cause: [
        'El carrier tomó el mensaje y no dio una respuesta que se pueda usar.',
        'La conexión se cortó, o la pasarela se detuvo, después de escribir el mensaje y antes de que el carrier respondiera.',
        'Su validez terminó en la duda: su estado es `unconfirmed`. Bien puede haber llegado.',
      ],
      fix: [
        'Espere: lo resuelve un acuse o la política de la cuenta. Se envía otra vez unas pocas veces como máximo, con la marca `dupRisk`.',
        'No envíe otra vez un mensaje `unconfirmed` solo por esto.',
      ],
    },
    OPTED_OUT: {
      title: 'El destinatario se dio de baja antes de que se enviara',
      cause: ['La baja llegó después de que se aceptara el mensaje y antes de que saliera.'],
      fix: ['Quite el número de su lista.'],
    },
    SENDER_NOT_ENABLED: {
      title: 'El número de envío se desactivó antes de que se enviara',
      cause: ['El número se desactivó o se quitó después de que se aceptara el mensaje.'],
      fix: ['Active el número y envíe otra vez.'],
    },
    CAMPAIGN_NOT_ACTIVE: {
      title: 'La campaña dejó de estar activa antes de que se enviara',
      cause: ['La campaña se suspendió, venció o se quitó después de que se aceptara el mensaje.'],
      fix: ['Resuelva la suspensión y envíe otra vez.'],
    },
    GATEWAY_ERROR: {
      title: 'La pasarela falló con este mensaje',
      cause: ['Una falla interna de la pasarela, que se repitió en varios intentos.'],
      fix: ['Dé al operador el `messageId`.'],
    },
    UNKNOWN: {
      title: 'Un código que aquí no tiene significado',
      cause: ['El carrier envió un código que no está en ninguna tabla; vea `carrierCode`.'],
      fix: ['Busque `carrierCode` en los documentos del carrier.'],
    },
  },
};
