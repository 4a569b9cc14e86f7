/** Sentences about passkeys, at the sign-in and wherever a person confirms their identity. */
export const passkeyWords = {
  use: 'Use a passkey',
  needsHttps: 'Your passkey works over https only, and this page came over plain http.',
  ended: {
    left: 'No passkey was chosen.',
    known: 'This device has a passkey of yours already.',
    address: 'Passkeys do not work at this address. Open the portal at its public address.',
    failed: 'The browser or the device could not do this.',
  },
} as const;
