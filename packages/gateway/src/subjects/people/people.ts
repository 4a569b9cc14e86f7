/** The services of people: sessions, sign-in, second factor, set-up, profile, users. */
import { createPasskeys, type Passkeys } from './passkeys.ts';
import { createPasswordReset, type PasswordReset } from './password-reset.ts';
import type { PeopleParts } from './people-parts.ts';
import { createProfile, type Profile } from './profile.ts';
import { createSecondFactor, type SecondFactor } from './second-factor.ts';
import { createSessions, type Sessions } from './sessions.ts';
import { createSetUp, type SetUp, type SetUpParts } from './set-up.ts';
import { createSignIn, type SignIn } from './sign-in.ts';
import { createSsoSignIn, type SsoSignIn } from './sso.ts';
import { createUsers, type Users } from './users.ts';

export interface People {
  sessions: Sessions;
  signIn: SignIn;
  secondFactor: SecondFactor;
  setUp: SetUp;
  profile: Profile;
  users: Users;
  passwordReset: PasswordReset;
  passkeys: Passkeys;
  sso: SsoSignIn;
}

export function createPeople(parts: PeopleParts & Pick<SetUpParts, 'firstAccount'>): People {
  const sessions = createSessions(parts);
  const secondFactor = createSecondFactor(parts);
  const signIn = createSignIn({ ...parts, sessions, secondFactor });
  return {
    sessions,
    secondFactor,
    signIn,
    setUp: createSetUp({ ...parts, sessions }),
    profile: createProfile({ ...parts, sessions, signIn }),
    users: createUsers(parts),
    passwordReset: createPasswordReset({ ...parts, signIn }),
    sso: createSsoSignIn({ ...parts, signIn }),
    passkeys: createPasskeys({ ...parts, signIn, secondFactor }),
  };
}
