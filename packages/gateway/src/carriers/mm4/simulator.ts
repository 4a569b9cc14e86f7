/** The sandbox's MMSC over MM4. */
import type { KindSimulator } from '../simulated.ts';
import type { Mm4Profile } from './profile.ts';

export function mm4Simulator({ domain, ownDomain }: Pick<Mm4Profile, 'domain' | 'ownDomain'>): KindSimulator {
  return {
    portSetting: 'simulatorMm4Port',
    options: ({ preferredPort, listening }) => ({
      mm4: { preferredPort, ownDomain: domain, peerDomain: ownDomain, gateway: listening },
    }),
    client: ({ mm4: { host, port } }) => ({ address: { host, port }, login: {} }),
  };
}
