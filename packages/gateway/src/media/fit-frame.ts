/**
 * The pipe protocol between gateway and fit process: two lengths, a little JSON, bytes. Both sides enforce limits,
 * because the process may be compromised.
 */

export interface Frame {
  readonly head: unknown;
  readonly body: Buffer;
}

const prefixBytes = 8;
const headBytesMax = 1_024;

export function encodeFrame(head: object, body: Uint8Array): Buffer {
  const headBytes = Buffer.from(JSON.stringify(head));
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(headBytes.length, 0);
  prefix.writeUInt32BE(body.length, 4);
  return Buffer.concat([prefix, headBytes, body]);
}

export interface FrameReader {
  /** The frames completed by `chunk`; null when it is malformed or too large: then stop reading. */
  read(chunk: Buffer): Frame[] | null;
}

export function createFrameReader(bodyBytesMax: number): FrameReader {
  let chunks: Buffer[] = [];
  let held = 0;

  /** Lengths of the frame at the start of `bytes`; null while its prefix is incomplete. */
  function lengthsOf(bytes: Buffer): { head: number; all: number } | null {
    if (bytes.length < prefixBytes) return null;
    const head = bytes.readUInt32BE(0);
    return { head, all: prefixBytes + head + bytes.readUInt32BE(4) };
  }

  return {
    read(chunk) {
      chunks.push(chunk);
      held += chunk.length;
      const frames: Frame[] = [];
      for (;;) {
        if (chunks[0]!.length < prefixBytes) chunks = [Buffer.concat(chunks)];
        const lengths = lengthsOf(chunks[0]!);
        if (lengths === null) return frames;
        if (lengths.head > headBytesMax || lengths.all > prefixBytes + lengths.head + bodyBytesMax) return null;
        if (held < lengths.all) return frames;
        const bytes = Buffer.concat(chunks);
        const head = parsed(bytes.toString('utf8', prefixBytes, prefixBytes + lengths.head));
        if (head === undefined) return null;
        frames.push({ head, body: bytes.subarray(prefixBytes + lengths.head, lengths.all) });
        chunks = [bytes.subarray(lengths.all)];
        held -= lengths.all;
      }
    },
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
