/** Sample PDUs for this package's tests: fast-check generators of every command's fields. Only tests import it. */
import fc from 'fast-check';
import { type CommandName, commands } from './commands.ts';
import type { Field } from './field.ts';
import type { PduInput } from './pdu.ts';

/** Characters a C-Octet String can hold. */
const cstring = (max: number) =>
  fc
    .array(fc.integer({ min: 1, max: 255 }), { maxLength: max - 1 })
    .map((codes) => codes.map((code) => String.fromCharCode(code)).join(''));

const octets = (max: number) => fc.uint8Array({ maxLength: max }).map((bytes) => Buffer.from(bytes));

const u1 = fc.integer({ min: 0, max: 255 });

const address = { dest_addr_ton: u1, dest_addr_npi: u1, destination_addr: cstring(21) };

const valueOfField = (field: Field): fc.Arbitrary<unknown> => {
  if (field.kind === 'u1') return field.name === 'esm_class' ? u1.map((bits) => bits & ~0x40) : u1;
  if (field.kind === 'cstring') return cstring(field.max);
  if (field.kind === 'counted') return octets(255);
  if (field.kind === 'dest_addresses') {
    const sme = fc.record({ dest_flag: fc.constant(1), ...address });
    return fc.array(fc.oneof(sme, fc.record({ dest_flag: fc.constant(2), dl_name: cstring(21) })), {
      minLength: 1,
      maxLength: 20,
    });
  }
  return fc.array(fc.record({ ...address, error_status_code: fc.integer({ min: 0, max: 0xffffffff }) }), {
    maxLength: 20,
  });
};

/** Vendors' TLVs, whose lengths no table limits. */
const tlvs = fc.array(fc.record({ tag: fc.integer({ min: 0x1400, max: 0x3fff }), value: octets(40) }), {
  maxLength: 4,
});

/** PDUs of one command as the standard allows them, every field given. */
export const pdusOf = (name: CommandName): fc.Arbitrary<PduInput> => {
  const fields = Object.fromEntries(commands[name].fields.map((field) => [field.name, valueOfField(field)]));
  const sequence_number = fc.integer({ min: 1, max: 0x7fffffff });
  return fc
    .record({ command: fc.constant(name), sequence_number, ...fields, tlvs })
    .map((pdu) => pdu as unknown as PduInput);
};

export const commandNames = Object.keys(commands) as CommandName[];

/** PDUs of all commands */
export const anyPdu: fc.Arbitrary<PduInput> = fc.oneof(...commandNames.map(pdusOf));
