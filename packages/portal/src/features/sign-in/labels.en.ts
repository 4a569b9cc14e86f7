/** Sentences of the sign-in. */
export const signInLabels = {
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
  recoveryCode: 'Recovery code',
  recoveryCodeHelp: 'One of your recovery codes, if your passkey is not at hand.',
  sso: {
    plain: 'Sign in with your company',
    named: (name: string) => `Sign in with ${name}`,
    operators: 'Operators sign in here',
  },
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
} as const;
