/** The portal of this version on the data folder of 0.1.0: its administrator signs in and finds what was sent then. */
import { describe, expect, it, onTestFinished } from 'vitest';
import { startUpgraded } from '../versions/0.1-fixture.ts';
import { administrator } from '../versions/make-0.1.ts';
import { noBrowser, openBrowser } from './fixture.ts';

describe.skipIf(noBrowser)('after the upgrade from 0.1.0', () => {
  it('the portal shows the messages, the reply and the endpoint of then', async () => {
    const gateway = await startUpgraded();
    onTestFinished(() => gateway.stop());
    const portal = await openBrowser(gateway, { who: administrator });
    onTestFinished(() => portal.context.close());
    const { page } = portal;
    await portal.go('/messages');
    await page.getByText('Queued 23').first().waitFor();
    await portal.go('/conversations');
    await page.getByText('Thank you').first().waitFor();
    await portal.go('/webhooks');
    await page.getByText('Orders').first().waitFor();
    expect(portal.problems).toEqual([]);
  });
});
