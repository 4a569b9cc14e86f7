/** Sentences of a forgotten password. */
export const resetLabels = {
  title: 'Forgot your password?',
  what: 'Enter the e-mail address with which you sign in. A link for a new password is mailed to it.',
  send: 'Mail me a link',
  asked: 'If somebody signs in with this address, a link is on its way',
  askedWhat: (email: string, minutes: number) =>
    `Look into the mailbox of ${email}, also among the spam. The link works once, for ${minutes} minutes.`,
  toSignIn: 'To the sign-in',
  over: 'This link was used already, or is too old. Ask for another one.',
  newTitle: 'Set a new password',
  as: (email: string) => `You sign in as ${email}. All other sessions end.`,
  set: 'Set password',
} as const;
