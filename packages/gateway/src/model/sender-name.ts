/**
 * Names in place of a number (alphanumeric senders). They need no campaign, send no MMS and get no replies; carriers in the US
 * and Canada deliver none.
 */
import { isKnownCountry } from './country.ts';
import type { SendingNumber } from './records.ts';

/** At most 11 letters, digits and signs, with a letter (3GPP TS 23.040 §9.1.2.5: 7 bits each in 10 octets). */
export function isSenderName(value: string): boolean {
  return /^(?=.*[A-Za-z])[A-Za-z0-9](?:[A-Za-z0-9 &._-]{0,9}[A-Za-z0-9.])?$/.test(value);
}

const closed: readonly string[] = ['US', 'CA'];

export interface NameFault {
  field: 'countries' | 'campaignId' | 'mmsEnabled';
  /** Half a sentence. */
  why: string;
}

/** What is wrong with a name, or with countries of what is none; null when all is well. */
export function nameFault(of: Pick<SendingNumber, NameFault['field'] | 'number'>): NameFault | null {
  const countries = countriesFault(of);
  if (countries !== null) return { field: 'countries', why: countries };
  if (!isSenderName(of.number)) return null;
  if (of.campaignId !== null) return { field: 'campaignId', why: 'a name is on no campaign' };
  return of.mmsEnabled ? { field: 'mmsEnabled', why: 'a name sends no MMS' } : null;
}

function countriesFault({ number, countries }: Pick<SendingNumber, 'number' | 'countries'>): string | null {
  if (!isSenderName(number)) return countries === undefined ? null : 'only a name has countries; a number needs none';
  if (countries === undefined || countries.length === 0) {
    return 'a name needs the countries where it may send, such as DE, FR';
  }
  const unknown = countries.filter((code) => !isKnownCountry(code));
  if (unknown.length > 0) return `no such country: ${unknown.join(', ')}; write codes such as DE, FR`;
  const isClosed = countries.some((code) => closed.includes(code));
  return isClosed ? 'in the US and Canada no carrier takes a name: send from a number there' : null;
}
