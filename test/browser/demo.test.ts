/**
 * Demo traffic in the portal: every page has data, the start page says that it is generated, and one click removes it.
 */

import { describe, expect, it } from 'vitest';
import { Heliograph } from '../../packages/client/src/index.ts';
import { noBrowser, openPortal } from './fixture.ts';

const minute = 60_000;

describe.skipIf(noBrowser)('demo traffic', { timeout: 3 * minute }, () => {
  it('shows up by itself, fills the pages, and goes with one click', async () => {
    const portal = await openPortal();
    const { page, sandbox } = portal;
    const client = new Heliograph({ baseUrl: sandbox.url, ...sandbox.credentials });
    await portal.go('/');
    await page.getByRole('heading', { name: 'Get to your first conversation' }).waitFor();
    expect(await page.getByText('demo traffic').count()).toBe(0);

    const { messages } = await client.sandbox.seedDemo();
    await page.getByText(`This is demo traffic: ${messages.toLocaleString('en-US')} messages`).waitFor();
    // Generated traffic ticks no step of the newcomer's list.
    expect(await page.getByRole('heading', { name: 'Get to your first conversation' }).count()).toBe(0);
    await page.getByRole('heading', { name: 'Why messages failed' }).waitFor();
    await page.getByRole('link', { name: 'UNREACHABLE', exact: true }).waitFor();
    await portal.screenshot('demo-home');

    await portal.go('/messages?q=key%3Ademo');
    await page.getByText('sign-in code').first().waitFor();
    await portal.screenshot('demo-messages');
    await portal.go('/conversations');
    await page.getByText('on 1 (202) 555-0199').first().waitFor();
    await portal.screenshot('demo-conversations');
    await portal.go('/usage');
    await page.getByRole('slider', { name: /Messages by day/ }).waitFor();
    await portal.screenshot('demo-usage');

    await portal.go('/');
    await page.getByRole('button', { name: 'Remove demo traffic' }).click();
    await page.getByRole('heading', { name: 'Get to your first conversation' }).waitFor();
    expect(await page.getByText('This is demo traffic').count()).toBe(0);
    expect(await client.sandbox.demo()).toBeNull();
    await portal.go('/audit');
    await page.getByText('Removed the demo traffic').first().waitFor();
    await portal.go('/messages');
    expect(await page.getByText('sign-in code').count()).toBe(0);
    expect(portal.problems).toEqual([]);
  });
});
