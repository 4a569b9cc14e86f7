/**
 * The fit process: decodes untrusted images in isolation. Reads jobs from stdin, answers on stdout; has no secrets,
 * files or network (fit-command.ts), and ends with the gateway.
 */
import { createFrameReader, encodeFrame, type Frame } from './fit-frame.ts';
import { type FitRequest, fitImage, openOnlyKnownImages } from './fit-image.ts';

const inputBytesMax = 64 * 1024 * 1024;

async function answer({ head, body }: Frame): Promise<void> {
  const result = await fitImage(body, head as FitRequest);
  const { bytes, ...outcome } = result.kind === 'fitted' ? result : { ...result, bytes: Buffer.alloc(0) };
  process.stdout.write(encodeFrame(outcome, bytes));
}

openOnlyKnownImages();
const reader = createFrameReader(inputBytesMax);
let before = Promise.resolve();
process.stdin.on('data', (chunk: Buffer) => {
  const frames = reader.read(chunk);
  if (frames === null) process.exit(1);
  for (const frame of frames) before = before.then(() => answer(frame));
});
process.stdin.on('end', () => process.exit(0));
