/** The sandbox's MMSC over MM7, and what both sides show each other. */
import { type KindSimulator, newPassword } from '../simulated.ts';

/** What we show to the simulator, and what it shows to us. */
export const sandboxMm7Login: Readonly<Mm7Login> = {
  username: 'sandbox',
  password: newPassword(16),
  inbound: { username: 'sim-mm7', password: newPassword(16) },
};

export interface Mm7Login {
  username: string;
  password: string;
  inbound: { username: string; password: string };
}

/** A login over MM7 by the names of the settings. */
export function mm7Settings({ username, password, inbound }: Mm7Login): Record<string, string> {
  return { username, password, 'inbound.username': inbound.username, 'inbound.password': inbound.password };
}

/** `path`: where the gateway takes what the carrier of this kind sends. */
export function mm7Simulator(path: string): KindSimulator {
  const { username, password, inbound } = sandboxMm7Login;
  return {
    portSetting: 'simulatorMm7Port',
    options: ({ preferredPort, localUrl }) => ({
      mm7: {
        preferredPort,
        username,
        password,
        gateway: () => {
          const url = localUrl();
          return url === null ? null : { url: `${url}${path}`, ...inbound };
        },
      },
    }),
    client: ({ mm7 }) => ({ address: { url: mm7.url }, login: mm7Settings(sandboxMm7Login) }),
  };
}
