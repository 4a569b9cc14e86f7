/** The sandbox page: four failures, your own code, and the needs of a real carrier; in Spanish. */
import type { Translated } from '../../language/translated';
import type { gameLabels as english } from './games-labels.en';

export const gameLabels: Translated<typeof english> = {
  breakIt: {
    title: 'Rómpalo a propósito',
    what: 'Cuatro fallas del sandbox y dónde se ve cada una. Nadie fuera de esta pasarela lo nota.',
    text: '¿Llega este mensaje?',
    failures: {
      off: {
        title: 'El teléfono está apagado',
        detail: 'El carrier guarda el SMS hasta que se encienda otra vez, diez minutos como máximo.',
        act: 'Apagarlo y enviar',
        after: 'El SMS se aceptó y queda como “Enviado al carrier”. Mire',
        look: 'su historia',
        undo: 'Encenderlo',
        undone: 'Está encendido otra vez y recibe lo que se guardó.',
      },
      full: {
        title: 'Su bandeja está llena',
        detail: 'El carrier toma el SMS, y su acuse dice UNDELIV.',
        act: 'Llenarla y enviar',
        after: 'El SMS termina como no entregado, con su código. Mire',
        look: 'su historia',
        undo: 'Hacer lugar',
        undone: 'Otra vez hay lugar.',
      },
      stop: {
        title: 'La persona escribe STOP',
        detail: 'Desde ese momento un SMS a ese número se rechaza con OPTED_OUT, antes de salir.',
        act: 'Escribir STOP',
        after: 'El número está en la lista, con su prueba. Mire',
        look: 'Bajas',
        undo: 'Escribir START',
        undone: 'Otra vez se puede escribir a ese número.',
      },
      drop: {
        title: 'Se corta el enlace con el carrier',
        detail: 'Ambas sesiones terminan a la vez. Los SMS esperan en disco hasta que haya una otra vez, en segundos.',
        act: 'Cortarlo y enviar',
        after: 'Las sesiones vuelven solas y el SMS sale. Mire',
        look: 'su historia',
        undo: '',
        undone: '',
      },
    },
  },
  ownCode: {
    title: 'Su propio código',
    what: 'Vea cada evento cuando ocurre, firmado y entregado a un servidor de este equipo:',
    command: 'comando',
    or: 'O haga que la pasarela llame a una dirección suya:',
    endpoint: 'agregue un endpoint de webhook',
  },
  realCarrier: {
    title: 'Conecte un carrier real',
    go: 'Conectar un carrier',
    needed: 'Qué se necesita',
    needs: [
      'Del carrier: su servidor y puerto SMPP, un system_id y una contraseña.',
      'Una marca y una campaña aprobada con un número: sin ellas no sale ningún SMS.',
      'Un par de claves de producción, creado en Claves de API.',
    ],
    second: 'La verificación en dos pasos en su propia cuenta:',
    profile: 'configúrela en su perfil',
    changes: 'Qué cambia y qué no',
    stays: [
      'Las claves del sandbox siguen siendo del sandbox: nunca llegan a un carrier real.',
      'Los webhooks a este equipo y a direcciones privadas se desactivan, salvo que el operador los permita.',
      'Los números de prueba y los teléfonos quedan en el sandbox; apáguelo con HELIO_SANDBOX=0.',
    ],
    operatorOnly: 'El operador de esta pasarela conecta los carriers. Pídaselo.',
  },
};
