/**
 * The command line: names, arguments and help. Each command is in its own file, loaded only when it is called, so that
 * `helio --help` answers at once.
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
    if (!(error instanceof CommanderError)) {
      // Whichever file of the gateway a command reads: another user may not.
      const fault = (await import('./file-fault.ts')).fileFault(error);
      if (fault === null) throw error;
      terminal.error(`${fault}\n`);
      return (await import('../app/config.ts')).badConfigurationExitCode;
    }
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
    .version(versionLine(), '--version', 'print the versions of Heliograph and Node');

  program
    .command('start')
    .description('run the gateway until Ctrl+C')
    .option('--open', 'show the portal in the browser of this machine')
    .action(async (flags) => done(await (await import('./start.ts')).start(flags, terminal)));
  program
    .command('apply')
    .description('make accounts, numbers, campaigns, keys, carriers and routes match a file')
    .argument('<file>', 'records file (JSON); with an error in it, nothing is written; records are never deleted')
    .option('--dry-run', 'only show what would change')
    .option('--yes', 'confirm removals: the lines of the diff that begin with -')
    .option('--verbose', 'also list records that are not in the file')
    .option('--json', 'the changes as one JSON document')
    .option('--reseal', 'encrypt the passwords in the file with the current key, when the old key is lost')
    .action(async (file, flags) => done(await (await import('./apply.ts')).apply(file, flags, terminal)));
  program
    .command('first-steps')
    .description('show the start card again')
    .option('--json', 'the facts as one JSON object')
    .action(async (flags) => done(await (await import('./first-steps.ts')).firstSteps(flags, terminal)));
  program
    .command('doctor')
    .description('check this machine and the gateway; say what is wrong and how to fix it')
    .option('--json', 'as one JSON document')
    .action(async (flags) => done(await (await import('./doctor.ts')).doctor(flags, terminal)));
  program
    .command('prove')
    .description('kill a fresh gateway under load, again and again, and count what was lost, doubled and flagged')
    .option('--time <time>', 'such as 20s or 10m; the last messages may take a minute more', '2m')
    .option('--kills <number>', 'end after so many times through all faults (default: as many as fit into the time)')
    .option('--faults <list>', 'only these, separated by commas: kill, power, drop, silent, restart')
    .option('--peer <file>', 'another gateway, described in a file: docs/prove.md')
    .option('--database <url>', 'run on this empty PostgreSQL database instead of SQLite')
    .option('--keep <dir>', 'work in this new folder and leave everything there')
    .option('--json', 'the result as one JSON document')
    .action(async (flags) => done(await (await import('./prove.ts')).prove(flags, terminal)));
  addEventCommands(program, terminal, done);
  addSandboxCommands(program, terminal, done);
  addAdminCommands(program, terminal, done);
  addBackupCommands(program, terminal, done);
  program
    .command('verify')
    .description('check the files of a stopped gateway for damage; changes nothing')
    .option('--json', 'as one JSON object')
    .action(async (flags) => done(await (await import('./verify.ts')).verify(flags, terminal)));
  program
    .command('recover')
    .description(
      'recover the readable messages of a damaged journal and list the missing ones; the gateway must be stopped',
    )
    .option('--journal <file>', 'the journal of the database that a restored backup replaced')
    .option('--json', 'as one JSON object')
    .action(async (flags) => done(await (await import('./recover.ts')).recover(flags, terminal)));
  program
    .command('migrate-store')
    .description('move the store of a stopped gateway into the empty PostgreSQL database of HELIO_DATABASE_URL')
    .addOption(new Option('--from <engine>', 'where the store is').choices(['sqlite']).makeOptionMandatory())
    .addOption(new Option('--to <engine>', 'where it goes').choices(['postgres']).makeOptionMandatory())
    .option('--json', 'what was moved, as one JSON object')
    .action(async (flags) => done(await (await import('./migrate-store.ts')).migrateStore(flags, terminal)));
  program
    .command('rotate-key')
    .description('encrypt the stored secrets with a new key; the gateway must be stopped')
    .action(async () => done(await (await import('./rotate-key.ts')).rotate(terminal)));
  program
    .command('unmatched')
    .description('list receipts of the last 24 hours that fit no message, newest first')
    .option('--json', 'one JSON object a line')
    .action(async (flags) => done(await (await import('./unmatched.ts')).unmatched(flags, terminal)));
  program
    .command('alerts')
    .description('list the alerts that fire, newest first')
    .option('--history', 'also those that are over')
    .option('--json', 'one JSON object a line')
    .action(async (flags) => done(await (await import('./alerts.ts')).alerts(flags, terminal)));
  program
    .command('explain')
    .description('explain a reason, status or outcome code and say what to do')
    .argument('[code]', 'such as OPTED_OUT (default: list all codes)')
    .option('--json', 'its entries as one JSON document')
    .action(async (code, flags) => done((await import('./explain.ts')).explain(code, flags, terminal)));
  program
    .command('segments')
    .description('show encoding and segments of a text, and the characters that make it longer')
    .argument('<text>')
    .option('--json', 'as one JSON object')
    .action(async (text, flags) => done((await import('./segments.ts')).segments(text, flags, terminal)));
  program
    .command('version')
    .description('print the versions of Heliograph and Node')
    .option('--json', 'as one JSON object')
    .action(async (flags) => done((await import('./print-version.ts')).printVersion(flags, terminal)));
  return program;
}

function addAdminCommands(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const admin = program.command('admin').description('create an administrator of the portal, or a link to sign in');
  admin
    .command('create')
    .description('create an administrator; asks for the password unless it comes on stdin')
    .requiredOption('--email <address>', 'e-mail address to sign in with')
    .option('--name <name>', 'name to show (default: the part before the @)')
    .option('--password-stdin', 'read the password from the first line of stdin')
    .action(async (flags) => done(await (await import('./admin.ts')).createAdmin(flags, terminal, process.stdin)));
  admin
    .command('login-link')
    .description('print a new one-time link for the first administrator, or for a user who is locked out')
    .option('--email <address>', 'for this user (default: the first administrator)')
    .action(async (flags) => done(await (await import('./admin.ts')).loginLink(flags, terminal)));
}

function addBackupCommands(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  const backup = program.command('backup').description('back up the store, or restore a backup');
  backup
    .command('create')
    .description('back up the store, whether the gateway runs or not')
    .option('--to <file>', 'file to write (default: in backups/ of the data folder, named by the time)')
    .action(async (flags) => done(await (await import('./backup.ts')).createBackup(flags, terminal)));
  backup
    .command('restore')
    .description('replace the store with a backup and keep the old store; the gateway must be stopped')
    .argument('<file>', 'a file, or the name of one in backups/ of the data folder')
    .addOption(waitingOption())
    .action(async (file, flags) => done(await (await import('./backup.ts')).restoreBackup(file, flags, terminal)));
  backup
    .command('restored')
    .description('after pg_restore, with the gateway stopped: mark or hold the messages that waited in the dump')
    .addOption(waitingOption())
    .action(async (flags) => done(await (await import('./backup.ts')).afterRestore(flags, terminal)));
}

function waitingOption(): Option {
  return new Option(
    '--waiting <way>',
    'messages that waited then and may have been sent since: send them marked, hold them, or send them',
  )
    .choices(['flag', 'hold', 'send'])
    .default('flag');
}

function addEventCommands(program: Command, terminal: Terminal, done: (exitCode: number) => void): void {
  program
    .command('listen')
    .description('show events as they happen and forward them, signed, to a server on this machine, until Ctrl+C')
    .option('--forward-to <url>', 'where to POST each event, such as http://localhost:3000/hooks')
    .option('--types <list>', 'only these types, separated by commas')
    .option('--from <place>', 'begin after this event id or cursor (default: now)')
    .option('--resume', 'begin where the last run with --resume ended')
    .option('--print-secret', 'only print the signing secret, to set in that server')
    .option('--json', 'one JSON object a line')
    .addHelpText('after', eventTypeHelp)
    .action(async (flags) => done(await (await import('./listen.ts')).listen(flags, terminal)));
  program
    .command('trigger')
    .description('make an example event for webhooks and listeners')
    .argument('[type]', 'such as message.received (default: list all types)')
    .option('--json', 'the event as one JSON object')
    .addHelpText('after', eventTypeHelp)
    .action(async (type, flags) => done(await (await import('./trigger.ts')).trigger(type, flags, terminal)));
}
