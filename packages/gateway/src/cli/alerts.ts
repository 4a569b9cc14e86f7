/** `helio alerts`: the firing alerts, or the history, from the store. For the operator. */
import type { Alert } from '../model/alert.ts';
import type { Terminal } from './terminal.ts';
import { runWithStore } from './tool-store.ts';

const shownMax = 1_000;

export function alerts(flags: { history?: boolean; json?: boolean }, terminal: Terminal): Promise<number> {
  return runWithStore(terminal, async (_config, withStore) => {
    const found = await withStore((store) =>
      flags.history ? store.alertHistory({ before: null, limit: shownMax }) : store.firingAlerts(),
    );
    if (flags.json) return found.map((alert) => `${JSON.stringify(alert)}\n`).join('');
    return found.length === 0 ? `No alert ${flags.history ? 'has fired' : 'fires'}.\n` : found.map(line).join('');
  });
}

function line({ kind, detail, firedAt, resolvedAt, isTold }: Alert): string {
  const until = resolvedAt === null ? 'fires' : `until ${new Date(resolvedAt).toISOString()}`;
  return `${new Date(firedAt).toISOString()}  ${until}  ${kind}${isTold ? '' : ' (silenced)'}  ${detail}\n`;
}
