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
      /** The address at which passkeys work; null = nowhere. */
      passkeysAt: string | null;
    };
  };
}
