/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface InvitationShown {
  email: string;
  name: string;
  company: string;
  role: string;
  passwordCharactersMin: number;
}

export interface SignedIn {
  next: 'done';
  me: Me | null;
}

export interface Me {
  user: {
    userId: string;
    name: string;
    email: string;
    role: 'Owner' | 'Admin' | 'Developer' | 'Support' | 'Viewer';
    operator: boolean;
    /** Whether the password alone does not let them in. */
    twoFactor: boolean;
    /** Whether they have codes of an authenticator app. */
    authenticator: boolean;
    /** How many they have. */
    passkeys: number;
    /** Whether they have one; without it they come by their identity provider. */
    password: boolean;
    recoveryCodesLeft: number;
    singleKeys: boolean;
    language: string | null;
    /** Milliseconds since the epoch. */
    lastSignInAt: number | null;
  };
  account: {
    accountId: string;
    name: string;
    status: 'active' | 'suspended';
    timeZone: string | null;
    passwordCharactersMin: number;
  };
  permissions: (
    | 'read'
    | 'readBody'
    | 'send'
    | 'manageNumbers'
    | 'manageCampaigns'
    | 'manageCompany'
    | 'readAudit'
    | 'manageUsers'
    | 'manageKeys'
    | 'manageWebhooks'
    | 'manageOptOuts'
    | 'readUsage'
    | 'operator'
  )[];
  viewAs: 'Owner' | 'Admin' | 'Developer' | 'Support' | 'Viewer' | null;
  viewableRoles: ('Owner' | 'Admin' | 'Developer' | 'Support' | 'Viewer')[];
  environment: 'sandbox' | 'live';
  environments: ('sandbox' | 'live')[];
  csrf: string;
  sandbox: boolean;
  version: string;
  limits: {
    recipientsMax: number;
    smsSegmentsMax: number;
    mmsTextCharactersMax: number;
    mediaMax: number;
    mediaBytesMax: number;
    mediaUrlCharactersMax: number;
    bodyBytesMax: number;
    jsonDepthMax: number;
    referenceIdCharactersMax: number;
    idempotencyKeyCharactersMax: number;
    idempotencyKeptHours: number;
    validityMinutesMin: number;
    validityMinutesMax: number;
    validityMinutesDefault: number;
    requestsPerSecond: number;
    burst: number;
    recipientMessagesPerSecond: number;
    recipientBurst: number;
  };
  baseUrl: string;
  publicUrl: string | null;
  timeZone: string | null;
  secondFactorDue: string | null;
  /** From when the operator asks everybody for a second factor. */
  secondFactorFrom: string | null;
}

export interface InvitationRoutes {
  'POST /invitation': {
    query: Record<never, never>;
    body: { key: string; name: string; password: string };
    answer: SignedIn;
  };
  'POST /invitation/look': {
    query: Record<never, never>;
    body: { key: string };
    answer: InvitationShown;
  };
}
