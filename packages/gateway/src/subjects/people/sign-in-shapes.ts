/** Shapes of the answers in `sign-in-routes.ts`. */
import { named, object, plain, whole } from '../../http/shape.ts';

export const invitationShown = named(
  'InvitationShown',
  object({
    email: plain(),
    name: plain(),
    company: plain(),
    role: plain(),
    passwordCharactersMin: whole(),
  }),
);
