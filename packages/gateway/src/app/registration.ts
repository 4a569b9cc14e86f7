/** Wires registration: the evidence folder, and the check of a brand's website. */
import { version } from '../kernel/version.ts';
import { openMediaFiles } from '../media/files.ts';
import type { EvidenceFiles } from '../subjects/registration/evidence.ts';
import type { OpenPage } from '../subjects/registration/website.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { EgressPolicy } from './egress-policy.ts';

const caps = {
  connectMs: 5_000,
  firstByteMs: 10_000,
  totalMs: 15_000,
  bodyBytesMax: 65_536,
  keep: 0,
} as const;
const redirectsMax = 3;

export interface RegistrationRoom {
  evidence: EvidenceFiles;
  openPage: OpenPage;
}

/** One process at a time: behind the node lock. */
export async function openRegistration(
  { clock, random }: Context,
  { config, egress }: { config: Pick<Config, 'dataDir'>; egress: Pick<EgressPolicy, 'guarded' | 'policy'> },
): Promise<RegistrationRoom> {
  const evidence = await openMediaFiles({ dataDir: config.dataDir, folder: 'evidence', random, now: clock.now });
  const openPage: OpenPage = async (url) => {
    const headers = { 'user-agent': `Heliograph/${version}`, accept: 'text/html,*/*' };
    const request = { url, method: 'GET', headers, policy: egress.policy(), caps, redirectsMax } as const;
    const fetched = await egress.guarded.fetch(request);
    return fetched.kind === 'blocked' ? { kind: 'blocked' } : fetched;
  };
  return { evidence, openPage };
}
