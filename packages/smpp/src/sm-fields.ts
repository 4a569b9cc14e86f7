/** The fields of a short message besides its content: addressee, application, and display class. Pure. */
import type { UdhElement } from '@heliograph/text';
import type { Tlv } from './pdu.ts';
import { readTlv } from './tlvs.ts';

/**
 * An address as digits: without the plus sign of E.164 or the 00 prefix, which some peers write although SMPP 3.4
 * §5.2.5 has the type of number for that. Short codes and names stay unchanged.
 */
export function digitsOf(address: string): string {
  return address.replace(/^(?:\+|00(?=[1-9][0-9]{7,}$))/, '');
}

/** Application ports, 0–65,535. */
export interface Ports {
  source: number;
  destination: number;
}

/** 23.040 §9.2.3.24.3 (8 bits each) and .4 (16 bits each): destination, then source. The last of either kind counts. */
export function portsOf(elements: readonly UdhElement[]): Ports | undefined {
  const found = elements.findLast(
    ({ id, data }) => (id === 0x04 && data.length === 2) || (id === 0x05 && data.length === 4),
  );
  if (found === undefined) return undefined;
  const { id, data } = found;
  const at = (index: number) => (id === 0x04 ? data[index]! : (data[2 * index]! << 8) | data[2 * index + 1]!);
  return { source: at(1), destination: at(0) };
}

/** SMPP 3.4 §5.3.2.20–21; a missing port is 0. */
export function portsOfTlvs(tlvs: readonly Tlv[]): Ports | undefined {
  if (tlvs.length === 0) return undefined;
  const source = readTlv({ tlvs }, 'source_port');
  const destination = readTlv({ tlvs }, 'destination_port');
  return source === undefined && destination === undefined
    ? undefined
    : { source: source ?? 0, destination: destination ?? 0 };
}

/** The message class that dest_addr_subunit stands for. SMPP 3.4 §5.3.2.1: 1 display, 2 mobile equipment, 3 SIM, 4 external unit. */
export function classOfSubunit(tlvs: readonly Tlv[]): number | undefined {
  if (tlvs.length === 0) return undefined;
  const subunit = readTlv({ tlvs }, 'dest_addr_subunit');
  return subunit !== undefined && subunit >= 1 && subunit <= 4 ? subunit - 1 : undefined;
}
