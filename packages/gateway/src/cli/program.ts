/**
 * The command line: names, arguments and help. What a command does is in a file of its own, read only when it is called,
 * so that `helio --help` answers at once.
 */
import { Command, CommanderError, Option } from 'commander';
import { eventTypeHelp } from './event-type.ts';
import { versionLine } from './print-version.ts';
import { addSandboxCommands } from './program-sandbox.ts';
import { exitCodes, type Terminal } from './terminal.ts';

/** Runs one command line (without the program's name); resolves with the exit code. */
export async function runHelio(args: readonly string[], terminal: Terminal): Promise<number> {
  let exitCode: number = exitCodes.ok;
  const done = (code: number) => {
    exitCode = code;
  };
  try {
    await buildProgram(terminal, done).parseAsync(args, { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
  }
  return exitCode;
}

function buildProgram(terminal: Terminal, done: (exitCode: number) => void): Command {
  const program = new Command('helio')
    .description('Heliograph: a self-hosted SMS and MMS gateway. Settings: docs/configuration.md')
    .exitOverride()
    .configureOutput({ writeOut: terminal.out, writeErr: terminal.error })
    .showHelpAfterError('Next: helio --help')
    .version(versionLine(), '--version', 'version of Heliograph and of Node');

  program
    .command('start')
    .description('run the gateway until Ctrl+C')
    .option('--open', 'show the portal in the browser of this machine')
    .action(async (flags) => done(await (await import('./start.ts')).start(flags, terminal)));
  program
    .command('apply')
    .description('bring accounts, numbers, campaigns, keys, carriers and routes to what a file says')
    .argument('<file>', 'records file (JSON); nothing is written when anything in it is wrong, nothing is ever deleted')
    .option('--dry-run', 'only show what would change')
    .option('--yes', 'also what takes something away: the lines of the diff that begin with -')
    .option('--verbose', 'also show what is on record and not in the file')
    .option('--json', 'the changes as one JSON document')
    .option('--reseal', 'seal the passwords of the file anew, when the key of those on record is lost')
    .action(async (file, flags) => done(await (await import('./apply.ts')).apply(file, flags, terminal)));
  program
    .command('first-steps')
    .description('show the start card again')
    .option('--json', 'the facts as one JSON object')
    .action(async (flags) => done(await (await import('./first-steps.ts')).firstSteps(flags, terminal)));
  program
    .command('doctor')
    .description('look at this machine and the gateway, and say what is not well and what to do')
    .option('--json', 'as one JSON document')
    .action(async (flags) => done(await (await import('./doctor.ts')).doctor(flags, terminal)));
  addEventCommands(program, terminal, done);
  addSandboxCommands(program, terminal, done);
  addAdminCommands(program, terminal, done);
  addBackupCommands(program, terminal, done);
  program
    .command('verify')
    .description('look at the files of a stopped gateway: what is damaged, what could be saved; changes nothing')
    .option('--json', 'as one JSON object')
    .action(async (flags) => done(await (await import('./verify.ts')).verify(flags, terminal)));
  program
    .command('recover')
    .description('save what can be saved of a damaged journal, and say what is missing; the gateway must be stopped')
    .option('--journal <file>', 'a journal that was put aside with its database, for a backup put back in its place')
    .option('--json', 'as one JSON object')
    .action(async (flags) => done(await (await import('./recover.ts')).recover(flags, terminal)));
  program
    .command('rotate-key')
    .description('seal the secrets at rest with a new key; the gateway must be stopped')
    .action(async () => done(await (await import('./rotate-key.ts')).rotate(terminal)));
  program
    .command('unmatched')
    .description('receipts of the last 24 hours that fit no message, newest first')
    .option('--json', 'one JSON object a line')
    .action(async (flags) => done(await (await import('./unmatched.ts')).unmatched(flags, terminal)));
  program
    .command('explain')
    .description('what a reason, status or outcome code means and what to do')
    .argument('[code]', 'like OPTED_OUT; all codes when left out')
    .option('--json', 'its entries as one JSON document')
    .action(async (code, flags) => done((await import('./explain.ts')).explain(code, flags, terminal)));
  program
    .command('segments')
    .description('encoding and segments of a text, and the characters that cost')
    .argument('<text>')
    .option('--json', 'as one JSON object')
    .action(async (text, flags) => done((await import('./segments.ts')).segments(text, flags, terminal)));
  program
    .command('version')
    .description('version of Heliograph and of Node')
    .option('--json', 'as one JSON object')
    .action(async (flags) => done((await import('./print-version.ts')).printVersion(flags, terminal)));
  return program;
}

function addAdminCommands(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const admin = program.command('admin').description('administrators of the portal: make one, or a link to sign in');
  admin
    .command('create')
    .description('make an administrator; asks for the password unless it comes on stdin')
    .requiredOption('--email <address>', 'e-mail address to sign in with')
    .option('--name <name>', 'how people call them (default: what stands before the @)')
    .option('--password-stdin', 'read the password from the first line of stdin')
    .action(async (flags) => done(await (await import('./admin.ts')).createAdmin(flags, terminal, process.stdin)));
  admin
    .command('login-link')
    .description('a fresh one-time link: for the first administrator, or for a user who is locked out')
    .option('--email <address>', 'for this user (default: the first administrator there is)')
    .action(async (flags) => done(await (await import('./admin.ts')).loginLink(flags, terminal)));
}

function addBackupCommands(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const backup = program.command('backup').description('copies of the store: make one, or put one back');
  backup
    .command('create')
    .description('copy the store, beside a running gateway or without one')
    .option('--to <file>', 'where to (default: backups/ of the data folder, with the time as its name)')
    .action(async (flags) => done(await (await import('./backup.ts')).createBackup(flags, terminal)));
  backup
    .command('restore')
    .description('put a copy in the place of the store, which is kept aside; the gateway must be stopped')
    .argument('<file>', 'a file, or the name of one in backups/ of the data folder')
    .addOption(
      new Option('--waiting <way>', 'what waited then and may have been sent since: send it marked, hold it, send it')
        .choices(['flag', 'hold', 'send'])
        .default('flag'),
    )
    .action(async (file, flags) => done(await (await import('./backup.ts')).restoreBackup(file, flags, terminal)));
}

function addEventCommands(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('listen')
    .description('show events as they happen and hand them, signed, to a server on this machine, until Ctrl+C')
    .option('--forward-to <url>', 'where to POST each event, such as http://localhost:3000/hooks')
    .option('--types <list>', 'only these types, with commas in between')
    .option('--from <place>', 'begin after this event id or cursor (default: now)')
    .option('--resume', 'begin where the last run with --resume ended')
    .option('--print-secret', 'only print the secret that signs, to be set in that server')
    .option('--json', 'one JSON object a line')
    .addHelpText('after', eventTypeHelp)
    .action(async (flags) => done(await (await import('./listen.ts')).listen(flags, terminal)));
  program
    .command('trigger')
    .description('have the gateway make an example event, for webhooks and listeners')
    .argument('[type]', 'like message.received; all types when left out')
    .option('--json', 'the event as one JSON object')
    .addHelpText('after', eventTypeHelp)
    .action(async (type, flags) => done(await (await import('./trigger.ts')).trigger(type, flags, terminal)));
}
