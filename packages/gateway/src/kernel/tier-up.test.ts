import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** Runs `script` in its own Node process, where it may call `compileSooner`. */
function run(script: string): { status: number | null; output: string } {
  const module = new URL('./tier-up.ts', import.meta.url).href;
  const source = `import { compileSooner } from ${JSON.stringify(module)};${script}`;
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--allow-natives-syntax', '--input-type=module', '-e', source],
    { encoding: 'utf8' },
  );
  return { status, output: stdout + stderr };
}

test('the V8 that runs knows every flag: nothing is printed on the terminal', () => {
  expect(run('compileSooner();')).toEqual({ status: 0, output: '' });
});

test('a function that was called 4,000 times is compiled, and without it is not', () => {
  // Bit 5 of the status: compiled by TurboFan. Its thread may take a while; one more call at each look installs the
  // code.
  const script = `
    const add = (a, b) => { let sum = a; for (let i = 0; i < 3; i++) sum += b; return sum; };
    const call = (times) => { for (let i = 0; i < times; i++) add(i, 1); };
    const isCompiled = () => (%GetOptimizationStatus(add) & 32) !== 0;
    %NeverOptimizeFunction(call);
    for (let round = 0; round < 20; round++) {
      call(200);
      await new Promise((go) => setTimeout(go, 10));
    }
    for (let look = 0; look < looks && !isCompiled(); look++) {
      call(1);
      await new Promise((go) => setTimeout(go, 20));
    }
    console.log(isCompiled());`;
  expect(run(`compileSooner(); const looks = 500;${script}`).output).toBe('true\n');
  expect(run(`const looks = 5;${script}`).output).toBe('false\n');
});
