/** The roles of the people of a company. What each may do stands in `people.ts`. */
export const roles = ['Owner', 'Admin', 'Developer', 'Support', 'Viewer'] as const;
export type Role = (typeof roles)[number];
