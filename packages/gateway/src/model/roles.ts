/** Roles within a company; `people.ts` has their permissions. */
export const roles = ['Owner', 'Admin', 'Developer', 'Support', 'Viewer'] as const;
export type Role = (typeof roles)[number];
