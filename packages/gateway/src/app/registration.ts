/** Wires registration: the evidence files, their clean-up, and the website check of a brand. */
import { version } from '../kernel/version.ts';
import type { EvidenceFiles } from '../subjects/registration/evidence.ts';
import { createEvidenceKeeping, youngMs } from '../subjects/registration/evidence-keeping.ts';
import type { OpenPage } from '../subjects/registration/website.ts';
import type { Context } from './context.ts';
import type { EgressPolicy } from './egress-policy.ts';
import type { FileStores } from './file-stores.ts';
import type { Part } from './lifecycle.ts';
import type { Store } from './store.ts';

const caps = {
  connectMs: 5_000,
  firstByteMs: 10_000,
  totalMs: 15_000,
  bodyBytesMax: 65_536,
  keep: 0,
} as const;
const redirectsMax = 3;

export interface OpenRegistration {
  evidence: EvidenceFiles;
  openPage: OpenPage;
  readonly parts: readonly Part[];
}

export interface RegistrationPorts {
  files: Pick<FileStores, 'evidence' | 'shared'>;
  store: Pick<Store, 'records'>;
  egress: Pick<EgressPolicy, 'guarded' | 'policy'>;
}

export function openRegistration(context: Context, { files, store, egress }: RegistrationPorts): OpenRegistration {
  const evidence = { ...files.evidence, youngMs: files.shared ? youngMs : 0 };
  const keeping = createEvidenceKeeping({ ...context, store, files: evidence });
  const openPage: OpenPage = async (url) => {
    const headers = { 'user-agent': `Heliograph/${version}`, accept: 'text/html,*/*' };
    const request = { url, method: 'GET', headers, policy: egress.policy(), caps, redirectsMax } as const;
    const fetched = await egress.guarded.fetch(request);
    return fetched.kind === 'blocked' ? { kind: 'blocked' } : fetched;
  };
  return {
    evidence,
    openPage,
    parts: [{ name: 'evidence', onlyActing: true, start: keeping.start, stop: keeping.stop }],
  };
}
