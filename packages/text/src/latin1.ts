// ISO-8859-1 to text (SMPP data_coding 0x03, and 0x01 as its lower half).
// Not the browsers' "latin1", which is windows-1252: here 0x80-0x9F are control characters.

/** Each octet is the code point of its character. Never fails. */
export function decodeLatin1(octets: Uint8Array): string {
  let text = '';
  for (const octet of octets) text += String.fromCharCode(octet);
  return text;
}
