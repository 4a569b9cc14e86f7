/** Sentences of a sign-in by the identity provider. */
export const ssoWords = {
  title: 'Sign in',
  refused: 'You are not signed in',
  toSignIn: 'To the sign-in',
  /** By code, in the place of the gateway's own English. In English nothing. */
  refusals: {} as Readonly<Record<string, string>>,
} as const;
