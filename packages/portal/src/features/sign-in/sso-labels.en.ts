/** Sentences of a sign-in through the identity provider. */
export const ssoLabels = {
  title: 'Sign in',
  refused: 'You are not signed in',
  toSignIn: 'To the sign-in',
  /** By code, in place of the gateway's own English. Empty in English. */
  refusals: {} as Readonly<Record<string, string>>,
} as const;
