/** Sentences of setup and invitations. */
export const setupLabels = {
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
