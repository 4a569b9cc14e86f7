/** Sentences about the gateway itself: what runs, whether it is well, backups, its public address. */
const plural = new Intl.PluralRules('en');
const counted = (count: number, one: string, other: string) =>
  `${count} ${plural.select(count) === 'one' ? one : other}`;
const megabytes = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });

export const upkeepWords = {
  size: (bytes: number) =>
    bytes < 1e6
      ? `${Math.ceil(bytes / 1e3)} kB`
      : bytes < 1e9
        ? `${megabytes.format(bytes / 1e6)} MB`
        : `${megabytes.format(bytes / 1e9)} GB`,
  about: {
    title: 'About',
    made: 'What runs here',
    version: 'Heliograph',
    build: 'Build of these pages',
    node: 'Node',
    store: 'Store',
    engines: { sqlite: 'SQLite', postgres: 'PostgreSQL' },
    schema: 'Schema of the store',
    size: 'Size of the store',
    platform: 'System',
    since: 'Running since',
    copy: 'all of it, for a report',
    unknown: '—',
  },
  health: {
    title: 'Health',
    again: 'Look again',
    looking: 'Looking …',
    lookedAt: 'Looked at',
    caption: 'What was looked at, and how it is',
    what: 'What',
    state: 'State',
    detail: 'Seen',
    fix: 'What to do',
    well: 'Well',
    ill: 'Needs you',
    none: '—',
    allWell: 'All is well.',
    notWell: (count: number) => `${counted(count, 'thing needs', 'things need')} you.`,
    operatorOnly: 'Whether it is well is shown to the operator of this gateway.',
    clock: {
      what: 'Clock',
      well: 'as this browser’s',
      off: (seconds: number) => `${counted(seconds, 'second', 'seconds')} from this browser’s`,
      fix: 'Set the clock of the gateway, or of this computer: signatures of webhooks are refused after 5 minutes.',
    },
  },
  licences: {
    title: 'Licences',
    own: 'Heliograph is licensed under Apache-2.0. With it come:',
    show: 'Show the licences',
    missing: 'The list is not there: build the portal anew (npm run portal).',
    caption: 'Packages that are shipped',
    name: 'Package',
    version: 'Version',
    licence: 'Licence',
    text: 'Text',
    textOf: (name: string) => `Licence of ${name}`,
    noText: 'none in the package',
    count: (count: number) => counted(count, 'package', 'packages'),
    close: 'Close',
  },
  address: {
    title: 'Public address',
    what: 'How others reach this gateway: it stands in links to media and in invitations, and carriers may call it.',
    none: 'Not set. Links carry the address of this page:',
    configured: 'Whoever runs the gateway sets it when it starts, with',
    test: 'Test it',
    testing: 'The gateway asks itself by this address.',
  },
  backup: {
    title: 'Backup',
    store: 'The store of this gateway',
    what: 'A backup is a copy of the whole store in one file: companies, people, keys, messages, the audit log. It is made while messages go on.',
    notInIt:
      'Not in it: pictures, other media and evidence of campaigns (the folders media and evidence beside it), and the secret key, without which passwords of carriers and secrets of webhooks in it cannot be opened. Keep a copy of all these, and of the newest backup, on another machine.',
    folder: 'Folder',
    size: 'Size of the store',
    now: 'Back up now',
    running: 'A backup is being made, since',
    failed: (detail: string) => `The last one could not be made: ${detail}`,
    list: 'Backups',
    none: 'No backup yet.',
    noneNext: 'Make one now; it takes about a second per 100 MB.',
    name: 'File',
    made: 'Made',
    bytes: 'Size',
    actions: 'Actions',
    download: 'Download',
    downloadOf: (name: string) => `Download ${name}`,
    remove: 'Delete',
    removeOf: (name: string) => `Delete ${name}`,
    removeTitle: 'Delete this backup?',
    removeWhat: (name: string) => `${name} is gone then. The store itself is not touched.`,
    cancel: 'Cancel',
    restore: 'Put a backup back',
    restoreWhat:
      'The store cannot be changed for another one while it is in use, so this is done at the machine, by hand:',
    steps: {
      stop: 'Stop the gateway (Ctrl+C, or its service).',
      run: 'Run, with the file or its name:',
      start: 'Start the gateway again. What was there before is kept in a folder beside it, until you delete it.',
    },
    command: 'the command',
    after: 'Know before you do it:',
    afterwards: [
      'Messages that waited when the backup was made may have been sent since. They are sent when it starts and marked as possibly sent twice, unless their time is over (4 hours, unless the request said otherwise). Add --waiting hold to decide about each yourself, --waiting send to send them unmarked. Webhooks that waited are told again.',
      'Who opted out since then is not in it: export the opt-outs first, and import them afterwards.',
      'People, keys and passwords are those of then. What was revoked since works again: revoke it anew.',
    ],
    postgres: 'This store is PostgreSQL, which has tools of its own for this',
    postgresMake: 'Make a backup, beside the running gateway:',
    postgresBack: 'Put it back, with the gateway stopped:',
  },
} as const;
