/**
 * The web server for a benchmark's pictures, in its own process: photographs of about 2 MB, one under `/same.jpg` and a
 * different one for every other path. It counts its requests. Forked by `mms.ts`.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import sharp from 'sharp';
import { answerParent } from './processes.ts';

export type MmsOriginCommand = { ask: 'port' | 'requests' | 'photoBytes' };

/** Photographs with different pixels; all further ones differ only in their last bytes. */
const photographs = 8;
const width = 3_400;
const height = 2_550;

const photos = await Promise.all(Array.from({ length: photographs }, (_, seed) => photo(seed + 1)));
let requests = 0;

/** Noise over a gradient; the amount of noise gives the file size of a phone's photo. */
function photo(seed: number): Promise<Buffer> {
  const data = Buffer.alloc(width * height * 3);
  let state = seed;
  for (let at = 0; at < data.length; at++) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    data[at] = ((at % (width * 3)) * 150) / (width * 3) + (state >>> 27);
  }
  return sharp(data, { raw: { width, height, channels: 3 } })
    .jpeg({ quality: 88 })
    .toBuffer();
}

const server = createServer((request, response) => {
  requests += 1;
  const number = Number(/^\/(\d+)\.jpg$/.exec(request.url ?? '')?.[1] ?? 0);
  const picture = photos[number % photographs]!;
  // A comment segment with the number makes each file unique (ITU-T T.81 B.2.4.5).
  const comment = Buffer.from(`\xff\xfe\x00\x0a${String(number).padStart(8, '0')}`, 'latin1');
  const bytes = Buffer.concat([picture.subarray(0, 2), comment, picture.subarray(2)]);
  response.writeHead(200, { 'content-type': 'image/jpeg', 'content-length': bytes.length }).end(bytes);
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

answerParent<MmsOriginCommand>(({ ask }) => {
  if (ask === 'port') return (server.address() as AddressInfo).port;
  return ask === 'requests' ? requests : photos[0]!.length;
});
