/** The names, arguments and help of `helio sandbox …`. What each does is in `sandbox.ts`, read only when it is called. */
import type { Command } from 'commander';
import { behaviourHelp, faultsHelp } from './sandbox-pairs.ts';
import type { Terminal } from './terminal.ts';

export function addSandboxCommands(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const sandbox = program
    .command('sandbox')
    .description('handsets, trouble and demo traffic of the sandbox, from the command line');
  const work = () => import('./sandbox.ts');

  sandbox
    .command('handsets')
    .description('the handsets, the latest message first')
    .option('--json', 'as one JSON document')
    .option('--jsonl', 'one JSON object a line')
    .action(async (flags) => done(await (await work()).handsets(flags, terminal)));
  sandbox
    .command('messages')
    .description('what a handset received, oldest first')
    .argument('<number>')
    .option('--sent', 'what it sent instead')
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
    .description('how a handset behaves: changes what is named, shows everything')
    .argument('<number>')
    .argument('[key=value...]')
    .option('--json', 'as one JSON document')
    .addHelpText('after', `\n${behaviourHelp}\n`)
    .action(async (number, pairs, flags) => done(await (await work()).set(number, pairs, flags, terminal)));
  sandbox
    .command('faults')
    .description('faults of the link: changes what is named, shows those that are on')
    .argument('[key=value...]')
    .option('--json', 'as one JSON document')
    .addHelpText('after', `\n${faultsHelp}\n`)
    .action(async (pairs, flags) => done(await (await work()).faults(pairs, flags, terminal)));
  sandbox
    .command('wait')
    .description('wait for a message on a handset and print what the pattern finds: its first group, else all of it')
    .requiredOption('--to <number>', 'the handset')
    .requiredOption('--match <regexp>', "such as 'code (\\d+)'")
    .option('--timeout <time>', 'such as 500ms, 10s or 2m', '10s')
    .option('--after <id>', 'only what came after the message with this id')
    .option('--json', 'match, groups and message as one JSON document')
    .action(async (flags) => done(await (await import('./sandbox-wait.ts')).wait(flags, terminal)));
  sandbox
    .command('seed')
    .description('30 days of made-up traffic, for screenshots and charts')
    .option('--demo', 'put it there')
    .option('--remove', 'take it away again')
    .option('--json', 'as one JSON document')
    .action(async (flags) => done(await (await work()).seed(flags, terminal)));
  sandbox
    .command('reset')
    .description('handsets empty and ordinary, no faults: as between two tests')
    .option('--json', 'as one JSON document')
    .action(async (flags) => done(await (await work()).reset(flags, terminal)));
}
