/**
 * The names, arguments and help of `helio sandbox …`. `sandbox.ts` has the commands and is loaded only when one is
 * called.
 */
import type { Command } from 'commander';
import { behaviourHelp, faultsHelp } from './sandbox-pairs.ts';
import type { Terminal } from './terminal.ts';

export function addSandboxCommands(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const sandbox = program.command('sandbox').description('handsets, faults and demo traffic of the sandbox');
  const work = () => import('./sandbox.ts');

  sandbox
    .command('handsets')
    .description('list the handsets, the latest message first')
    .option('--json', 'as one JSON document')
    .option('--jsonl', 'one JSON object a line')
    .action(async (flags) => done(await (await work()).handsets(flags, terminal)));
  sandbox
    .command('messages')
    .description('list the messages that a handset received, oldest first')
    .argument('<number>')
    .option('--sent', 'those that it sent instead')
    .option('--json', 'as one JSON document')
    .option('--jsonl', 'one JSON object a line')
    .action(async (number, flags) => done(await (await work()).messages(number, flags, terminal)));
  sandbox
    .command('reply')
    .description('send a text from a handset')
    .argument('<number>')
    .argument('<text>')
    .option('--to <number>', 'one of your numbers (default: the last that texted it)')
    .option('--json', 'as one JSON document')
    .action(async (number, text, flags) => done(await (await work()).reply(number, text, flags, terminal)));
  sandbox
    .command('set')
    .description('set how a handset behaves; shows all its settings')
    .argument('<number>')
    .argument('[key=value...]')
    .option('--json', 'as one JSON document')
    .addHelpText('after', `\n${behaviourHelp}\n`)
    .action(async (number, pairs, flags) => done(await (await work()).set(number, pairs, flags, terminal)));
  sandbox
    .command('faults')
    .description('set faults of the link; shows those that are on')
    .argument('[key=value...]')
    .option('--json', 'as one JSON document')
    .addHelpText('after', `\n${faultsHelp}\n`)
    .action(async (pairs, flags) => done(await (await work()).faults(pairs, flags, terminal)));
  sandbox
    .command('wait')
    .description('wait for a message on a handset and print the first group of the pattern, or the whole match')
    .requiredOption('--to <number>', 'the handset')
    .requiredOption('--match <regexp>', "such as 'code (\\d+)'")
    .option('--timeout <time>', 'such as 500ms, 10s or 2m', '10s')
    .option('--after <id>', 'only messages after the one with this id')
    .option('--json', 'match, groups and message as one JSON document')
    .action(async (flags) => done(await (await import('./sandbox-wait.ts')).wait(flags, terminal)));
  sandbox
    .command('seed')
    .description('create or remove 30 days of made-up traffic, for screenshots and charts')
    .option('--demo', 'create it')
    .option('--remove', 'remove it')
    .option('--json', 'as one JSON document')
    .action(async (flags) => done(await (await work()).seed(flags, terminal)));
  sandbox
    .command('reset')
    .description('empty the handsets, restore their behaviour and end all faults, as between two tests')
    .option('--json', 'as one JSON document')
    .action(async (flags) => done(await (await work()).reset(flags, terminal)));
}
