/** Shared by the tests of this folder: images made in code, and small files of every other kind. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';
import { onTestFinished } from 'vitest';
import { dice } from '../../../../test/props/chance.ts';

/** A gradient under `grain` (0 to 255) of noise: the more grain, the more bytes. The corners differ. */
export function picture(width: number, height: number, { grain = 40, channels = 3 as 3 | 4 } = {}): Sharp {
  const data = Buffer.alloc(width * height * channels);
  const chance = dice(width * 31 + height);
  for (let at = 0; at < data.length; at++) {
    const pixel = Math.floor(at / channels);
    const slope = ((pixel % width) * 120) / width + (Math.floor(pixel / width) * 90) / height;
    data[at] = at % channels === 3 ? (pixel % 2) * 255 : Math.min(255, slope + chance() * grain);
  }
  return sharp(data, { raw: { width, height, channels } });
}

/** A JPEG like a telephone's: with place, author and orientation. */
export function phoneJpeg(width: number, height: number, orientation = 1, grain = 40): Promise<Buffer> {
  return picture(width, height, { grain })
    .jpeg({ quality: 90 })
    .withExif({ IFD0: { Artist: 'secret-artist' }, IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 0/1' } })
    .withMetadata({ orientation })
    .toBuffer();
}

/** A GIF of `frames` different frames. */
export function animatedGif(size: number, frames: number, grain = 40): Promise<Buffer> {
  const data = Buffer.alloc(size * size * frames * 3);
  const chance = dice(frames);
  for (let at = 0; at < data.length; at++) data[at] = 60 + Math.floor(at / (size * size * 3)) + chance() * grain;
  return sharp(data, { raw: { width: size, height: size * frames, channels: 3, pageHeight: size } })
    .gif({ loop: 0, delay: 100 })
    .toBuffer();
}

/** A PNG that claims this size and holds next to nothing. */
export async function pngBomb(width: number, height: number): Promise<Buffer> {
  const bytes = await picture(4, 4).png().toBuffer();
  bytes.writeUInt32BE(width, 16);
  bytes.writeUInt32BE(height, 20);
  return bytes;
}

/** A chunk with a checksum that is never verified. */
export function pngChunk(name: string, data: Buffer): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(name, 4, 'latin1');
  data.copy(chunk, 8);
  return chunk;
}

export function box(type: string, ...content: Uint8Array[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(8 + body.length);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

export function movie(brand: string, compatible = ['isom']): Buffer {
  const brands = Buffer.from(`${brand}\0\0\0\0${compatible.join('')}`, 'latin1');
  return Buffer.concat([
    box('ftyp', brands),
    box('moov', box('mvhd', Buffer.alloc(100))),
    box('mdat', Buffer.alloc(64)),
  ]);
}

/** MPEG-1 Layer III, 128 kbit/s, 44,100 Hz: 417 octets a frame. */
export function mp3(frames: number): Buffer {
  const frame = Buffer.alloc(417);
  frame.writeUInt32BE(0xfffb9000);
  return Buffer.concat(Array.from({ length: frames }, () => frame));
}

/** 12.2 kbit/s: 32 octets a frame. */
export function amr(frames: number): Buffer {
  const frame = Buffer.alloc(32);
  frame[0] = 0x3c;
  return Buffer.concat([Buffer.from('#!AMR\n'), ...Array.from({ length: frames }, () => frame)]);
}

export const vcard = Buffer.from('BEGIN:VCARD\r\nVERSION:3.0\r\nFN:Ada Lovelace\r\nEND:VCARD\r\n');

/** Whether `file-type` gives the same type: it has more names, APNG for a PNG, M4V for an MP4. */
export function sameType(theirs: string, ours: string): boolean {
  const names: Record<string, string> = { 'image/apng': 'image/png', 'video/x-m4v': 'video/mp4' };
  return (names[theirs] ?? theirs) === ours;
}

/** A folder that is deleted after the test. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'heliograph-media-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
