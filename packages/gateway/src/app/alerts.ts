/** Wires the alerts: their figures and rules, who is notified, and their pages. */
import type { PortalModule } from '../http/portal/portal.ts';
import type { Lanes } from '../messaging/send-queue/lanes.ts';
import type { DirectoryFollower } from '../messaging/time/memory.ts';
import type { TrustedClock } from '../messaging/time/trusted-clock.ts';
import { createAlertFigures } from '../subjects/alerts/alert-figures.ts';
import { createAlertMail } from '../subjects/alerts/alert-mail.ts';
import { alertRoutes } from '../subjects/alerts/alert-routes.ts';
import { createAlertService } from '../subjects/alerts/alert-service.ts';
import { createAlertWatch } from '../subjects/alerts/alert-watch.ts';
import { createMailer } from '../subjects/alerts/mailer.ts';
import { createOperators } from '../subjects/alerts/operators.ts';
import { createUsualDelays } from '../subjects/alerts/usual-delays.ts';
import { createRecordsService } from '../subjects/operator/records-service.ts';
import { judgeAlert } from '../subjects/records/form.ts';
import type { BudgetOf } from '../subjects/usage/budget.ts';
import type { Certificate } from './certificate.ts';
import type { Config } from './config.ts';
import type { Context } from './context.ts';
import type { Part } from './lifecycle.ts';
import { freeBytes } from './machine-checks.ts';
import type { Store } from './store.ts';

export interface Alerts {
  readonly portal: PortalModule;
  readonly parts: readonly Part[];
}

export interface AlertsPorts {
  config: Pick<Config, 'dataDir' | 'mail' | 'publicUrl'>;
  store: Store;
  lanes: Pick<Lanes, 'report' | 'receiptGap' | 'isPaused'>;
  directory: Pick<DirectoryFollower, 'current' | 'refresh'>;
  trustedClock: Pick<TrustedClock, 'doubt'>;
  /** Null without https. */
  certificate: Pick<Certificate, 'endsAt'> | null;
  budgetOf: BudgetOf;
}

export function openAlerts(context: Context, ports: AlertsPorts): Alerts {
  const { config, store, certificate } = ports;
  const { publicUrl } = config;
  const directory = ports.directory.current;
  const common = { ...context, store, directory, operators: createOperators(store) };
  const usual = createUsualDelays(common);
  const mailer = config.mail === null ? null : createMailer(config.mail, context.logger);
  const mail = createAlertMail({ ...common, mailer, to: config.mail?.to ?? [], publicUrl });
  const gather = createAlertFigures({
    ...common,
    usual,
    lanes: ports.lanes,
    freeBytes: () => freeBytes(config.dataDir),
    certificateEndsAt: () => certificate?.endsAt() ?? null,
    budgetOf: ports.budgetOf,
  });
  const watch = createAlertWatch({ ...common, gather, usual, mail, doubt: ports.trustedClock.doubt });
  const records = createRecordsService({ ...common, refresh: ports.directory.refresh });
  const service = createAlertService({ ...common, mail, records, judge: judgeAlert });
  return {
    portal: alertRoutes(service),
    parts: [{ name: 'alerts', onlyActing: true, start: watch.start, stop: watch.stop }],
  };
}
