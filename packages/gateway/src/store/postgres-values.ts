/**
 * Encodes a column of a batch as PostgreSQL's binary array, so that neither side has to format and parse numbers and
 * quotes as text.
 */
import type { ColumnType, Value } from './query.ts';

const elementTypes: Record<ColumnType, number> = { int: 20, text: 25 };
const headerBytes = 20;
/** Stands for the length of a null element. */
const isNull = -1;
const above = 2 ** 32;

/** One dimension, counted from 1. */
export function binaryArray(type: ColumnType, values: readonly (Value | undefined)[]): Buffer {
  const bytes = Buffer.allocUnsafe(headerBytes + (type === 'int' ? values.length * 12 : textBytes(values)));
  bytes.writeInt32BE(1, 0);
  bytes.writeInt32BE(values.some((value) => value == null) ? 1 : 0, 4);
  bytes.writeInt32BE(elementTypes[type], 8);
  bytes.writeInt32BE(values.length, 12);
  bytes.writeInt32BE(1, 16);
  const end = type === 'int' ? writeInts(bytes, values) : writeTexts(bytes, values);
  return bytes.subarray(0, end);
}

function textBytes(values: readonly (Value | undefined)[]): number {
  let sum = 0;
  for (const value of values) sum += 4 + (value == null ? 0 : Buffer.byteLength(value as string));
  return sum;
}

function writeTexts(bytes: Buffer, values: readonly (Value | undefined)[]): number {
  let at = headerBytes;
  for (const value of values) {
    const length = value == null ? isNull : bytes.write(value as string, at + 4);
    bytes.writeInt32BE(length, at);
    at += 4 + Math.max(0, length);
  }
  return at;
}

function writeInts(bytes: Buffer, values: readonly (Value | undefined)[]): number {
  let at = headerBytes;
  for (const value of values) {
    if (value == null) {
      bytes.writeInt32BE(isNull, at);
      at += 4;
      continue;
    }
    if (!Number.isSafeInteger(value)) throw new TypeError(`${value} is no whole number`);
    const high = Math.floor((value as number) / above);
    bytes.writeInt32BE(8, at);
    bytes.writeInt32BE(high, at + 4);
    bytes.writeUInt32BE((value as number) - high * above, at + 8);
    at += 12;
  }
  return at;
}
