/** The words of this package equal the gateway's catalogue, and it imports only Node's own modules. */
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { eventTypes } from '../../gateway/src/model/event-type.ts';
import { deliveryStates as gatewayStates } from '../../gateway/src/model/lifecycle.ts';
import { reasons } from '../../gateway/src/model/reason.ts';
import { usageGroupings as gatewayGroupings } from '../../gateway/src/model/usage.ts';
import { webhookEventTypes } from './events.ts';
import { deliveryStates, outcomeCodes, recipientStatuses, requestReasons } from './types.ts';
import { usageGroupings } from './usage-calls.ts';

const codes = (scope: string) => reasons.filter((reason) => reason.scope === scope).map(({ code }) => code);

describe('the words', () => {
  it('are those of the gateway', () => {
    expect([...requestReasons].sort()).toEqual(codes('request').sort());
    expect([...recipientStatuses].sort()).toEqual(codes('recipient').sort());
    expect([...outcomeCodes].sort()).toEqual(codes('outcome').sort());
    expect([...deliveryStates]).toEqual([...gatewayStates]);
    expect([...usageGroupings]).toEqual([...gatewayGroupings]);
    expect([...webhookEventTypes].sort()).toEqual([...eventTypes].sort());
  });
});

describe('dependencies', () => {
  const folder = new URL('./', import.meta.url);
  const sources = readdirSync(folder).filter((name) => !/\.test\.ts$|-fixture\.ts$/.test(name));

  it.each(sources)('%s imports only its neighbours and Node', (name) => {
    const source = readFileSync(new URL(name, folder), 'utf8');
    const imported = Array.from(source.matchAll(/\bfrom '([^']+)'/g), (match) => match[1]);
    expect(imported.filter((path) => !/^(\.\/[a-z-]+\.ts|node:[a-z/]+)$/.test(path!))).toEqual([]);
  });
});
