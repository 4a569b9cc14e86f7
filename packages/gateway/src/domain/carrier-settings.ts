/** A carrier's record as people see and edit it: its settings in one flat list, and of its secrets only whether they are set. */
import type { CarrierRecord } from './records.ts';

export interface CarrierSettings {
  /** Without any secret; certificates are none. */
  settings: Record<string, unknown>;
  /** `password`, `clientKey`, `inbound.password`: those the kind has, and whether they are set. */
  secrets: Record<string, boolean>;
}

export function carrierSettings(record: CarrierRecord): CarrierSettings {
  switch (record.kind) {
    case 'smpp': {
      const { password, ...settings } = record.smpp;
      return { settings, secrets: { password: password !== '' } };
    }
    case 'mm4': {
      const { password, ...settings } = record.mm4;
      return { settings, secrets: { password: password !== '' } };
    }
    case 'mm7': {
      const { password, clientKey, inbound, ...settings } = record.mm7;
      const { password: inboundPassword, ...rest } = inbound;
      const secrets = { password, clientKey, 'inbound.password': inboundPassword };
      const areSet = Object.entries(secrets).map(([name, secret]) => [name, secret !== '']);
      return { settings: { ...settings, inbound: rest }, secrets: Object.fromEntries(areSet) };
    }
  }
}
