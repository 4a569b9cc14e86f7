/** Sentences of sign-in, set-up and invitations. */
export const signInWords = {
  language: 'Language',
  signIn: 'Sign in',
  email: 'E-mail',
  name: 'Your name',
  company: 'Company name',
  password: 'Password',
  show: 'Show',
  hide: 'Hide',
  strength: {
    rule: (charactersMin: number) =>
      `At least ${charactersMin} characters. A few words in a row are better than odd signs.`,
    short: (missing: number) => `${missing} more ${missing === 1 ? 'character' : 'characters'} needed.`,
    fair: 'Good. Longer is better still.',
    good: 'Strong.',
  },
  twoFactor: 'Second factor',
  code: 'Code',
  codeHelp: 'Six digits from your authenticator, or one of your recovery codes.',
  back: 'Back',
  forgot: 'Forgot your password?',
  out: {
    title:
      'You were signed out: the session was ended from another browser, the password was changed, or its time was over.',
    detail: 'Sign in to go on where you were. Messages you began are still among your drafts in this browser.',
  },
  nobody: {
    title: 'No administrator yet',
    detail: 'Open the one-time link that the gateway printed when it started, or make one on its machine:',
    commands: 'npx helio admin login-link\nnpx helio admin create --email you@example.com',
  },
  setup: {
    title: 'Create the first administrator',
    create: 'Create administrator',
    again: 'Set a new password',
    set: 'Set password and sign in',
    as: (email: string) => `You sign in as ${email}. All other sessions end.`,
    noKey: 'This address has no key',
    over: 'This link was used already, or is too old',
    newLink: 'The link works once, for 30 minutes. This prints a fresh one:',
    command: 'npx helio admin login-link',
    later: 'Two-factor sign-in can be added in your profile; it is required before a real carrier can be connected.',
  },
  invitation: {
    title: 'Join a company',
    what: (company: string, role: string) => `You are invited to ${company} as ${role}.`,
    as: (email: string) => `You will sign in as ${email}.`,
    accept: 'Join',
    over: 'This invitation was used already, or is over',
    overWhat:
      'If you have joined, sign in with your e-mail address and password. Otherwise ask the person who invited you for a new link: each works once, and expires.',
  },
} as const;
