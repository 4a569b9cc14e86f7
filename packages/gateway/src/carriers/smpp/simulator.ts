/** The sandbox's SMPP carrier, and what its client binds with. */
import { type KindSimulator, newPassword } from '../simulated.ts';

/** What the simulated carrier and its client agree on. */
export const sandboxCarrierLogin: Readonly<{ system_id: string; password: string }> = {
  system_id: 'sandbox',
  // SMPP 3.4 §4.1.1: at most 8 characters.
  password: newPassword(4),
};

export const smppSimulator: KindSimulator = {
  portSetting: 'simulatorSmppPort',
  options: ({ preferredPort }) => ({ preferredPort, ...sandboxCarrierLogin }),
  client: ({ port }, host) => ({ address: { host, port }, login: sandboxCarrierLogin }),
};
