/** Validates a contact from a person or a file. */
import { numberForm } from '../../http/list-query.ts';
import { contactLimits, tidy, tidyTags } from '../../model/contact.ts';
import type { ContactEntry } from './contact-file.ts';
import type { ContactChange } from './store/module.ts';

export const badNumber = 'A contact is named by its number: 1 to 15 digits with country code.';

/** The values, tidied; or a sentence about the fault. */
export function changeOf({
  contact,
  name,
  note,
  tags,
}: ContactEntry): Omit<ContactChange, 'accountId' | 'at'> | string {
  const number = numberOf(contact);
  if (number === null) return badNumber;
  const given = {
    ...(name !== undefined && { name: tidy(name) }),
    ...(note !== undefined && { note: note.replaceAll('\r\n', '\n').trim() }),
    ...(tags !== undefined && { tags: tidyTags(tags) }),
  };
  if ((given.name ?? '').length > contactLimits.name) return `A name has at most ${contactLimits.name} characters.`;
  if ((given.note ?? '').length > contactLimits.note) return `A note has at most ${contactLimits.note} characters.`;
  if ((given.tags ?? []).length > contactLimits.tags) return `A contact has at most ${contactLimits.tags} tags.`;
  if (given.tags?.some((tag) => tag.length > contactLimits.tag || /[;,]/.test(tag))) {
    return `A tag has at most ${contactLimits.tag} characters, and neither comma nor semicolon.`;
  }
  const texts = [given.name ?? '', given.note ?? '', ...(given.tags ?? [])];
  if (texts.some((text) => text.includes('\0') || !text.isWellFormed())) return 'There is an invalid character in it.';
  return { contact: number, ...given };
}

/** Digits only; people write numbers in groups. */
export function numberOf(text: string): string | null {
  const digits = text.replaceAll(/[\s()+./-]/g, '');
  return numberForm.test(digits) ? digits : null;
}
