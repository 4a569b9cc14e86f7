/** The samples of the reference, as a reader would copy them: each runs against a real sandbox. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { exampleRequest } from '../../packages/gateway/src/http/reference/example.ts';
import { type Operation, readReference } from '../../packages/gateway/src/http/reference/reading.ts';
import { type Language, placeholders, sample } from '../../packages/gateway/src/http/reference/samples.ts';
import { phoneJpeg } from '../../packages/gateway/src/media/media-fixture.ts';
import { bareEnv } from '../props/bare-env.ts';
import { type SandboxGateway, startSandbox } from '../props/sandbox.ts';

let gateway: SandboxGateway;
let folder: string;
let operations: Operation[];
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'helio-samples-'));
  writeFileSync(join(folder, 'photo.jpg'), await phoneJpeg(64, 48));
  gateway = await startSandbox();
  const documents = await Promise.all(['/openapi.json', '/openapi-sandbox.json'].map((path) => gateway.get(path)));
  operations = readReference(documents.map(({ json }) => json)).groups.flatMap((group) => group.operations);
  // A handset can only answer after it got a text.
  await gateway.until(await gateway.text('12025550100', 'Hello'), ['delivered']);
});
afterAll(async () => {
  await gateway?.stop();
  rmSync(folder, { recursive: true, force: true });
});

interface Way {
  /** File name of the program, and the command that runs it. */
  file: string;
  command: string[];
  /** Exits with an error on a refusal and does not print its body. */
  throws?: true;
}

const ways: Readonly<Record<Language, Way>> = {
  curl: { file: 'sample.sh', command: ['bash', '--norc'] },
  'Node.js': { file: 'sample.mjs', command: [process.execPath] },
  Python: { file: 'sample.py', command: ['python3'], throws: true },
  PHP: { file: 'sample.php', command: ['php'] },
  Go: { file: 'sample.go', command: ['go', 'run'] },
  Ruby: { file: 'sample.rb', command: ['ruby'] },
};

function run(command: string, args: string[]): Promise<{ code: number; out: string; error: string }> {
  const env = { ...bareEnv(), HOME: folder, GOCACHE: join(tmpdir(), 'helio-go-cache'), GOFLAGS: '-mod=mod' };
  return new Promise((resolve) => {
    execFile(command, args, { cwd: folder, env, timeout: 60_000 }, (fault, out, error) =>
      resolve({ code: fault === null ? 0 : Number(fault.code ?? -1), out, error }),
    );
  });
}

async function isThere(language: Language): Promise<boolean> {
  const [command = ''] = ways[language].command;
  const { code } = await run('sh', ['-c', `command -v ${command}`]);
  return code === 0;
}

function runSample(language: Language, operation: Operation) {
  const { file, command } = ways[language];
  const text = sample(language, exampleRequest(operation, gateway.url))
    .replaceAll(placeholders.bearer, gateway.credentials.bearerToken)
    .replaceAll(placeholders.auth, gateway.credentials.authToken);
  writeFileSync(join(folder, file), text);
  return run(command[0]!, [...command.slice(1), join(folder, file)]);
}

/** Each creates thousands of messages. */
const heavy = ['seedDemoTraffic'];

function wanted(operation: Operation): string {
  const { url } = exampleRequest(operation, gateway.url);
  return /\/[A-Z]+_[A-Z]+/.test(new URL(url).pathname) ? 'NOT_FOUND' : 'SUCCESS';
}

/** The reason in an envelope; files and plain documents count as a success. */
function reasonIn(out: string): string {
  if (out.trim() === '') return 'NOTHING';
  // These documents contain refusals as examples.
  if (out.includes('{"openapi":')) return 'SUCCESS';
  return /"reason":\s*"(\w+)"/.exec(out)?.[1] ?? 'SUCCESS';
}

/** Only CI is sure to have all of them. */
const mayLack = process.env.CI === undefined;

/** One operation for each form that the sample writer distinguishes. */
function oneOfEachForm(): Operation[] {
  const forms = new Map<string, Operation>();
  for (const operation of operations) {
    const { method, credentials, body } = exampleRequest(operation, gateway.url);
    forms.set([method, credentials, body?.kind, wanted(operation)].join(' '), operation);
  }
  return [...forms.values()];
}

describe('the samples of every operation', () => {
  it.for([
    ['curl', 'of all'],
    ['Node.js', 'of all'],
    ['Python', 'of each form'],
    ['PHP', 'of each form'],
    ['Ruby', 'of each form'],
  ] as const)('%s, %s', async ([language, which], { skip }) => {
    if (mayLack && !(await isThere(language))) skip(`${language} is not on this machine`);
    const seen: string[] = [];
    const chosen = which === 'of all' ? operations : oneOfEachForm();
    for (const operation of chosen.filter(({ operationId }) => !heavy.includes(operationId))) {
      const { code, out, error } = await runSample(language, operation);
      const reason = wanted(operation);
      const isThrown = ways[language].throws === true && reason !== 'SUCCESS';
      if (isThrown)
        expect([operation.operationId, error]).toEqual([operation.operationId, expect.stringContaining('404')]);
      else expect([operation.operationId, code, error, reasonIn(out)]).toEqual([operation.operationId, 0, '', reason]);
      seen.push(reason);
    }
    expect(seen.filter((reason) => reason === 'SUCCESS').length).toBeGreaterThanOrEqual(which === 'of all' ? 25 : 5);
  });

  // A Go program takes a second to compile, so one operation of each form is tried.
  it.for(['sendSMS', 'getLimits', 'uploadMedia', 'importOptOuts'])('Go: %s', async (id, { skip }) => {
    if (mayLack && !(await isThere('Go'))) skip('Go is not on this machine');
    const { code, out, error } = await runSample('Go', operations.find(({ operationId }) => operationId === id)!);
    expect({ code, error, reason: reasonIn(out) }).toEqual({ code: 0, error: '', reason: 'SUCCESS' });
    expect(out).toMatch(/^200 /);
  });
});
