import { isIP } from 'node:net';
import { expect, it } from 'vitest';
import { isLoopback } from './address-rules.ts';
import { machineAddresses } from './machine-addresses.ts';

it('the addresses of this machine are addresses, and none is loopback', () => {
  for (const address of machineAddresses()) {
    expect(isIP(address)).toBeGreaterThan(0);
    expect(isLoopback(address)).toBe(false);
  }
});
