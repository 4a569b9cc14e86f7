/** The texts of mails to people, in the portal's languages. */
import { isoTime } from '../../http/envelope.ts';
import type { EpochMs } from '../../kernel/clock.ts';

export interface Written {
  subject: string;
  text: string;
}

interface Texts {
  reset(facts: { link: string; minutes: number; address: string }): Written;
  changed(facts: { at: EpochMs; address: string; publicUrl: string }): Written;
  invited(facts: { link: string; company: string; invitedBy: string; days: number }): Written;
}

const english: Texts = {
  reset: ({ link, minutes, address }) => ({
    subject: 'Set a new password for Heliograph',
    text: paragraphs(
      'Somebody asked for a new password for your user. If it was you, open this link:',
      link,
      `It works once, for ${minutes} minutes. If you use two-factor sign-in, you are asked for it afterwards as always.`,
      `If it was not you, do nothing: your password stays as it is. The request came from ${address}.`,
    ),
  }),
  changed: ({ at, address, publicUrl }) => ({
    subject: 'Your Heliograph password was changed',
    text: paragraphs(
      `Your password was changed by a mailed link on ${isoTime(at)}, from ${address}. All your sessions have ended.`,
      'If it was not you, tell an Owner or Admin of your company at once, and look after your mailbox.',
      publicUrl,
    ),
  }),
  invited: ({ link, company, invitedBy, days }) => ({
    subject: `You are invited to ${company}`,
    text: paragraphs(
      `${invitedBy} invites you to ${company} on Heliograph. Open this link to choose a password:`,
      link,
      `It works once, for ${days} days.`,
    ),
  }),
};

const spanish: Texts = {
  reset: ({ link, minutes, address }) => ({
    subject: 'Elija una contraseña nueva para Heliograph',
    text: paragraphs(
      'Alguien pidió una contraseña nueva para su usuario. Si fue usted, abra este enlace:',
      link,
      `Sirve una sola vez, durante ${minutes} minutos. Si usa la verificación en dos pasos, se le pedirá después, como siempre.`,
      `Si no fue usted, no haga nada: su contraseña no cambia. La solicitud llegó desde ${address}.`,
    ),
  }),
  changed: ({ at, address, publicUrl }) => ({
    subject: 'Se cambió su contraseña de Heliograph',
    text: paragraphs(
      `Su contraseña se cambió con un enlace enviado por correo el ${isoTime(at)}, desde ${address}. Todas sus sesiones terminaron.`,
      'Si no fue usted, avise enseguida a un propietario o administrador de su empresa y revise su buzón.',
      publicUrl,
    ),
  }),
  invited: ({ link, company, invitedBy, days }) => ({
    subject: `Lo invitaron a ${company}`,
    text: paragraphs(
      `${invitedBy} lo invita a ${company} en Heliograph. Abra este enlace para elegir una contraseña:`,
      link,
      `Sirve una sola vez, durante ${days} días.`,
    ),
  }),
};

function paragraphs(...all: string[]): string {
  return `${all.join('\n\n')}\n`;
}

/** The languages of the portal and of its mails. */
const textsOf: Readonly<Record<string, Texts>> = { en: english, es: spanish };

export const knownLanguages: readonly string[] = Object.keys(textsOf);

/** `language` from the profile, perhaps with a region (`es-MX`); null = the browser's, which is unknown here. */
export function mailTexts(language: string | null): Texts {
  return textsOf[language?.split('-')[0] ?? ''] ?? english;
}
