/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface SetupStateRoutes {
  'GET /setup-state': {
    query: Record<never, never>;
    body: undefined;
    answer: {
      needsSetup: boolean;
      version: string;
      sandbox: boolean;
      /** Whether a forgotten password can be reset by mail. */
      passwordReset: boolean;
      sso: {
        /** Of the identity provider, as the operator calls it. */ name: string | null;
        /** Whether people who are no operators have passwords and passkeys too. */
        passwords: boolean;
      } | null;
      /** The address at which passkeys work; null = nowhere. */
      passkeysAt: string | null;
    };
  };
}
