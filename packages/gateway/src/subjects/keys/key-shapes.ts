/** Shapes of the answers in `key-routes.ts`. */
import { extended, flag, list, named, object, oneOf, optional, orNull, plain, time, whole } from '../../http/shape.ts';

export const tokenHint = named(
  'TokenHint',
  object({
    prefix: plain(),
    last4: plain(),
  }),
);

export const keyPair = named(
  'KeyPair',
  object({
    keyId: plain(),
    name: plain(),
    environment: oneOf(['sandbox', 'live']),
    status: oneOf(['active', 'expired', 'revoked']),
    scopes: list(oneOf(['read', 'send', 'admin'])),
    numbers: list(plain()),
    dailyCap: whole(),
    exactShape: flag(),
    createdAt: time,
    createdBy: orNull(plain()),
    expiresAt: orNull(time),
    revokedAt: orNull(time),
    replacedBy: orNull(plain()),
    lastUse: orNull(
      object({
        at: time,
        endpoint: plain(),
        address: orNull(plain()),
      }),
    ),
    bearerHint: optional(orNull(tokenHint)),
    authHint: optional(orNull(tokenHint)),
    allowedIps: optional(list(plain())),
    lastRefusal: optional(
      orNull(
        object({
          at: time,
          address: plain(),
        }),
      ),
    ),
    version: optional(plain()),
  }),
);

/** A new pair with both of its tokens, which are shown only now. */
export const newPair = named('NewPair', extended(keyPair, { bearerToken: plain(), authToken: plain() }));

const judged = object({
  sentence: plain(),
  key: orNull(object({ keyId: plain(), name: plain(), environment: oneOf(['sandbox', 'live']) })),
});

export const credentialsVerdict = named(
  'CredentialsVerdict',
  object({
    works: flag(),
    fault: orNull(plain()),
    isListed: flag(),
    sentence: plain(),
    bearer: judged,
    auth: judged,
  }),
);
