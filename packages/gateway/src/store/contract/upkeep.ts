/** Contract: a store's facts about itself. */
import { describe, expect, it } from 'vitest';
import { migrations } from '../migrate.ts';
import { hour, type StoreFactory, start } from './fixture.ts';
import { useWorld } from './world.ts';

export function upkeepContract(factory: StoreFactory): void {
  describe('facts about the store', () => {
    const world = useWorld(factory);

    it('include its schema’s version and its size', async () => {
      const facts = await world.store.storeFacts();
      expect(facts).toMatchObject({ engine: world.store.engine, schemaVersion: migrations.at(-1)!.version });
      expect(facts.engineVersion).toMatch(/^\d+\.\d+/);
      expect(facts.bytes).toBeGreaterThan(10_000);
    });

    it('include the time of its newest event, whatever the order of the log', async () => {
      expect(await world.store.newestEventAt()).toBeNull();
      world.clock.set(start + hour);
      const claim = await world.claimed();
      await world.settle(claim, { to: 'failed', code: 'CARRIER_REJECTED', parts: [] });
      world.clock.set(start);
      const earlier = await world.claimed();
      await world.settle(earlier, { to: 'failed', code: 'CARRIER_REJECTED', parts: [] });
      expect(await world.store.newestEventAt()).toBe(start + hour);
    });
  });
}
