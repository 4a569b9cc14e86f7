/**
 * Sends hostile files through the media store and judges the results: by what each file allows, by a second type
 * detector, by a decoder, by the memory of both processes, and by the connections that the kernel saw.
 */
import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { fileTypeFromBuffer } from 'file-type';
import sharp from 'sharp';
import { isImage } from '../model/medium.ts';
import type { EndReport, FileReport } from './hostile-process-fixture.ts';
import { canary, type HostileFile } from './hostile-whole-fixture.ts';
import { sameType, temporaryFolder } from './media-fixture.ts';

export interface Judgement {
  /** One line for each violation. */
  faults: string[];
  counts: { refused: number; fitted: number; failed: number };
  mediaProcess: EndReport;
  /** Calls of connect(2) to an address, by the media process and its children; null when strace is absent. */
  connects: string[] | null;
  slowest: { name: string; ms: number };
}

export async function judge(corpus: readonly HostileFile[]): Promise<Judgement> {
  const folder = temporaryFolder();
  const [files, data] = [join(folder, 'files'), join(folder, 'data')];
  mkdirSync(files);
  mkdirSync(data);
  for (const [index, { bytes }] of corpus.entries()) writeFileSync(join(files, fileName(index)), bytes);
  const { lines, end, connects } = await runMediaProcess(files, data);
  const judged: Judgement = {
    faults: [],
    counts: { refused: 0, fitted: 0, failed: 0 },
    mediaProcess: end,
    connects,
    slowest: { name: '', ms: 0 },
  };
  for (const [index, file] of corpus.entries()) {
    const line = lines.get(fileName(index));
    const fault = line === undefined ? 'nothing became of it' : await faultOf(file, line, data);
    if (fault !== null) judged.faults.push(`${file.name}: ${fault}`);
    if (line === undefined) continue;
    judged.counts[line.fitted === null ? 'refused' : line.fitted.kind === 'fitted' ? 'fitted' : 'failed'] += 1;
    if (line.ms > judged.slowest.ms) judged.slowest = { name: file.name, ms: line.ms };
  }
  return judged;
}

const fileName = (index: number): string => String(index).padStart(6, '0');
const refusals = ['MEDIA_TYPE_NOT_SUPPORTED', 'MEDIA_TOO_LARGE'];

/** Null when the result is allowed. */
async function faultOf({ bytes, may }: HostileFile, line: FileReport, data: string): Promise<string | null> {
  const { taken, fitted, budgetBytes } = line;
  if (taken.kind === 'later') return 'put off';
  if (taken.kind === 'refused') return refusals.includes(taken.code) ? null : `refused as ${taken.code}`;
  const { type } = taken.medium;
  if (may === 'be refused') return `taken as ${type}`;
  const theirs = await fileTypeFromBuffer(bytes);
  if (theirs !== undefined && !sameType(theirs.mime, type)) return `taken as ${type}, is ${theirs.mime}`;
  if (fitted === null || fitted.kind === 'later') return 'put off';
  if (fitted.kind === 'failed') {
    const allowed = may === 'take long' ? [...refusals, 'GATEWAY_ERROR'] : refusals;
    return allowed.includes(fitted.code) ? null : `failed as ${fitted.code}`;
  }
  const out = readFileSync(join(data, line.file));
  if (out.length > budgetBytes) return `${out.length} bytes of ${budgetBytes}`;
  if (!isImage(type)) return out.equals(bytes) ? null : 'changed on its way';
  return faultOfImage(out);
}

/** An image passed on must have a type that handsets know, be whole, and contain nothing of the hidden content. */
async function faultOfImage(out: Buffer): Promise<string | null> {
  const { mime = 'nothing' } = (await fileTypeFromBuffer(out)) ?? {};
  if (!['image/jpeg', 'image/png', 'image/gif'].includes(mime)) return `became ${mime}`;
  if (out.includes(canary)) return `still holds what was hidden in it, as ${mime}`;
  try {
    await sharp(out, { failOn: 'error' }).raw().toBuffer();
    return null;
  } catch (error) {
    return `became a ${mime} that does not open: ${(error as Error).message}`;
  }
}

interface Run {
  lines: Map<string, FileReport>;
  end: EndReport;
  connects: string[] | null;
}

async function runMediaProcess(files: string, data: string): Promise<Run> {
  const trace = join(data, 'trace');
  const traced = canTrace();
  const wrapper = traced ? ['strace', '-f', '-qq', '-e', 'trace=connect', '-e', 'signal=none', '-o', trace] : [];
  const script = fileURLToPath(new URL('hostile-process-fixture.ts', import.meta.url));
  const [command, ...rest] = [...wrapper, process.execPath, script, files, data];
  const mediaProcess = spawn(command!, rest, { stdio: ['ignore', 'pipe', 'inherit'] });
  const exited = new Promise<number | null>((resolve) => mediaProcess.once('exit', resolve));
  const lines = new Map<string, FileReport>();
  let end: EndReport | null = null;
  for await (const text of createInterface({ input: mediaProcess.stdout })) {
    const report = JSON.parse(text) as FileReport | EndReport;
    if ('file' in report) lines.set(report.file, report);
    else end = report;
  }
  const code = await exited;
  if (end === null) throw new Error(`the room ended with ${code} after ${lines.size} files`);
  const connects = traced
    ? readFileSync(trace, 'latin1')
        .split('\n')
        .filter((line) => /AF_INET/.test(line))
    : null;
  return { lines, end, connects };
}

/** Some containers do not let a process trace another. */
function canTrace(): boolean {
  return spawnSync('strace', ['-qq', '-e', 'trace=connect', 'true'], { stdio: 'ignore' }).status === 0;
}
