/** The log: one JSON line each, no secrets, and a reader that never reads costs lines but no time. */
import { spawn } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { createLog } from './json-log.ts';
import type { Sink } from './line-writer.ts';
import { Secret } from './secret.ts';

function collecting({ held = false } = {}) {
  const lines: string[] = [];
  const sink: Sink = (bytes, done) => {
    lines.push(...bytes.toString().trimEnd().split('\n'));
    setImmediate(done, null);
  };
  return { lines, log: createLog({ level: 'info', sink, held }) };
}

describe('createLog', () => {
  it('writes a line with time, level, fields and sentence, from its level up', () => {
    const { lines, log } = collecting();
    const { logger } = log;
    logger.debug({ port: 1 }, 'not this');
    logger.info({ port: 2 }, 'this');
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0]!)).toMatchObject({ level: 'info', port: 2, msg: 'this' });
    expect(Date.parse(JSON.parse(lines[0]!).time)).toBeGreaterThan(0);
  });

  it('holds its lines until they are let out, and loses none', async () => {
    const { lines, log } = collecting({ held: true });
    for (let n = 0; n < 500; n++) log.logger.info({ n }, 'early');
    await new Promise((resolve) => setImmediate(resolve));
    expect(lines).toEqual([]);
    log.release();
    log.logger.info({ n: 500 }, 'late');
    await log.close();
    expect(lines.map((line) => JSON.parse(line).n)).toEqual(Array.from({ length: 501 }, (_, n) => n));
    expect(log.dropped()).toBe(0);
  });

  it('writes what it holds when it is closed', async () => {
    const { lines, log } = collecting({ held: true });
    log.logger.info({}, 'why it failed');
    await log.close();
    expect(lines).toHaveLength(1);
  });

  it('keeps the stack of an error', () => {
    const { lines, log } = collecting();
    log.logger.error({ err: new TypeError('broken') }, 'failed');
    expect(JSON.parse(lines[0]!).err).toMatchObject({ type: 'TypeError', message: 'broken' });
    expect(JSON.parse(lines[0]!).err.stack).toContain('json-log.test.ts');
  });

  it('lets no secret and no text body through, wherever it stands', async () => {
    const { lines, log } = collecting();
    const { logger } = log;
    const canary = 'c4n4ry';
    const token = `bt_sbx_0123456789_${canary}${'0'.repeat(33)}`;
    const err = Object.assign(new Error(`GET /SendSMS?apikey=${canary}&x=1 with Bearer ${canary}`), {
      password: canary,
    });
    logger.info({
      password: canary,
      smpp: { password: canary, list: [{ authToken: canary }] },
      headers: { authorization: canary, cookie: canary, 'x-api-key': canary },
      apikey: canary,
      text: canary,
      wrapped: new Secret(canary),
      url: `http://localhost/SendSMS?apikey=${canary}`,
      err,
    });
    logger.info({}, `sent with ${token}, whsec_${canary}${'A'.repeat(30)}`);
    await log.close();
    expect(lines).toHaveLength(2);
    expect(lines.join('\n')).not.toContain(canary);
    expect(lines[0]).toContain('x=1');
  });

  it('survives what cannot be written as JSON', () => {
    const { lines, log } = collecting();
    const round: Record<string, unknown> = { a: 1 };
    round.self = round;
    log.logger.info({ round, big: 10n }, 'round');
    expect(JSON.parse(lines[0]!).msg).toBe('round');
  });

  it('drops and counts lines while nobody takes them, and says so afterwards', () => {
    const taken: string[] = [];
    let release: () => void = () => {};
    const sink: Sink = (bytes, done) => {
      taken.push(bytes.toString());
      release = () => done(null);
    };
    const log = createLog({ level: 'info', sink });
    const filler = 'x'.repeat(1_000);
    for (let i = 0; i < 10_000; i++) log.logger.info({ i }, filler);
    expect(taken).toHaveLength(1);
    const lost = log.dropped();
    expect(lost).toBeGreaterThan(5_000);
    for (let i = 0; i < 200 && taken.at(-1)?.includes('were dropped') === false; i++) release();
    expect(JSON.parse(taken.at(-1)!)).toMatchObject({ level: 'warn', lines: lost });
    expect(log.dropped()).toBe(lost);
  });

  it('counts what the system refuses and goes on', async () => {
    let full = true;
    const taken: string[] = [];
    const sink: Sink = (bytes, done) => {
      if (!full) taken.push(bytes.toString());
      setImmediate(done, full ? new Error('ENOSPC') : null);
    };
    const log = createLog({ level: 'info', sink });
    log.logger.info({}, 'lost');
    await log.close();
    expect(log.dropped()).toBe(1);
    full = false;
    log.logger.info({}, 'kept');
    await log.close();
    expect(taken.join('')).toContain('kept');
    expect(taken.join('')).toContain('"lines":1');
  });
});

describe('the log of a process', () => {
  const program = (body: string) =>
    `import { createLog } from ${JSON.stringify(new URL('./json-log.ts', import.meta.url).href)};
     const log = createLog({ level: 'info' });
     ${body}`;

  /** `reads`: from the start, after the first output on stdout, or never. */
  function run(body: string, reads: 'always' | 'late' | 'never') {
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', program(body)]);
    let out = '';
    let err = '';
    const read = () => child.stderr.on('data', (bytes) => (err += bytes));
    if (reads === 'always') read();
    child.stdout.on('data', (bytes) => {
      if (out === '' && reads === 'late') read();
      out += bytes;
    });
    const ended = reads === 'never' ? 'exit' : 'close';
    return new Promise<{ code: number | null; out: string; err: string }>((resolve) =>
      child.on(ended, (code) => resolve({ code, out, err })),
    );
  }

  it('is complete after close', async () => {
    const body = "for (let i = 0; i < 2000; i++) log.logger.info({ i }, 'line'); await log.close(); process.exit(0);";
    const { code, err } = await run(body, 'always');
    expect(code).toBe(0);
    expect(err.trimEnd().split('\n')).toHaveLength(2_000);
  });

  it('loses nothing to a reader who is only late', async () => {
    const body = `for (let i = 0; i < 2000; i++) log.logger.info({ i }, 'x'.repeat(1000));
      await new Promise((go) => setTimeout(go, 50));
      console.log('written'); await log.close(); process.exit(log.dropped());`;
    const { code, err } = await run(body, 'late');
    expect(code).toBe(0);
    expect(err.trimEnd().split('\n')).toHaveLength(2_000);
  });

  it('gets its last line out when the process ends at once', async () => {
    const { code, err } = await run("log.logger.error({}, 'the disk failed'); process.exit(70);", 'always');
    expect(code).toBe(70);
    expect(err).toContain('the disk failed');
  });

  it('neither stops nor outlives a process whose stderr nobody reads', async () => {
    const body = `for (let i = 0; i < 20000; i++) log.logger.info({ i }, 'x'.repeat(500));
      await new Promise((go) => setImmediate(go));
      console.log(log.dropped() > 0 ? 'dropped' : 'kept');
      await log.close(); process.exit(5);`;
    const { code, out } = await run(body, 'never');
    expect(out.trim()).toBe('dropped');
    expect(code).toBe(5);
  });
});
