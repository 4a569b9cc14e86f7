/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface RoleList {
  roles: ('Owner' | 'Admin' | 'Developer' | 'Support' | 'Viewer')[];
  permissions: { permission: string; who: string }[];
}

export interface RolesRoutes {
  'GET /roles': {
    query: Record<never, never>;
    body: undefined;
    answer: RoleList;
  };
}
