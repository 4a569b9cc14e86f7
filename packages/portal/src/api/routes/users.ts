/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface UserShown {
  createdAt?: string;
  version?: number;
  userId: string;
  name: string;
  email: string;
  role: 'Owner' | 'Admin' | 'Developer' | 'Support' | 'Viewer';
  operator: boolean;
  disabled: boolean;
  readsTexts: boolean;
  twoFactor?: boolean;
  lastSignInAt?: string | null;
}

export interface PendingInvitation {
  invitationId: string;
  email: string;
  name: string;
  role: 'Owner' | 'Admin' | 'Developer' | 'Support' | 'Viewer';
  invitedBy: string;
  createdAt: string;
  expiresAt: string;
}

export interface UsersRoutes {
  'DELETE /users/invitations/:invitationId': {
    query: Record<never, never>;
    body: undefined;
    answer: Record<string, never>;
  };
  'GET /users': {
    query: Record<never, never>;
    body: undefined;
    answer: UserShown[];
  };
  'GET /users/invitations': {
    query: Record<never, never>;
    body: undefined;
    answer: PendingInvitation[];
  };
  'POST /users/:userId': {
    query: Record<never, never>;
    body: { role?: 'Owner' | 'Admin' | 'Developer' | 'Support' | 'Viewer'; disabled?: boolean };
    answer: UserShown;
  };
  'POST /users/:userId/sessions/end': {
    query: Record<never, never>;
    body: unknown;
    answer: { ended: number };
  };
  'POST /users/invitations': {
    query: Record<never, never>;
    body: { email: string; name?: string; role: 'Owner' | 'Admin' | 'Developer' | 'Support' | 'Viewer' };
    answer: {
      invitationId: string;
      email: string;
      name: string;
      role: 'Owner' | 'Admin' | 'Developer' | 'Support' | 'Viewer';
      invitedBy: string;
      createdAt: string;
      expiresAt: string;
      link: string;
      /** Whether the link was mailed to the person too. */
      mailed: boolean;
    };
  };
}
