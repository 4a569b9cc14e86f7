/**
 * Notices on the page: a suspended company, an expired invitation, a message without a route; the environment and the
 * time zone in effect.
 */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { noBrowser, openBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

const phone = '12025550100';
let portal: Portal;

describe.skipIf(noBrowser)('notices', () => {
  beforeAll(async () => {
    portal = await openPortal();
  });
  afterEach(() => expect(portal.problems).toEqual([]));

  it('on every page that their company is suspended, and no refused action is offered', async () => {
    const { page, go } = portal;
    await page.route('**/api/portal/v1/me', async (route) => {
      const answer = await route.fetch();
      const me = await answer.json();
      me.data.account.status = 'suspended';
      await route.fulfill({ response: answer, json: me });
    });
    await go('/numbers');
    await page.getByText('This company is suspended: nothing is sent').waitFor();
    await page.getByRole('link', { name: '1 (202) 555-0199' }).waitFor();
    expect(await page.getByRole('button', { name: 'Add number' }).count()).toBe(0);
    await wideAndNarrow(portal, 'suspended');
    await go('/messages/new');
    await page.getByText('This company is suspended: nothing is sent').waitFor();
    expect(await page.getByRole('button', { name: 'Suspended: nothing can be sent' }).isDisabled()).toBe(true);
    await page.unrouteAll();
    await go('/numbers');
    await page.getByRole('button', { name: 'Add number' }).first().waitFor();
    expect(await page.getByText('This company is suspended').count()).toBe(0);
  });

  it('of conversations in the chosen environment, which a new tab takes over', async () => {
    const { page, go, sandbox, context } = portal;
    await sandbox.post(`/api/v1/sandbox/handsets/${phone}/reply`, { to: sandbox.from, text: 'Is this live?' });
    await go('/conversations');
    await page.getByText('Is this live?').waitFor();
    await page.getByRole('button', { name: /sandbox or live/ }).click();
    await page.getByRole('option', { name: 'Live' }).click();
    await page.getByText('Replies to your numbers land here.').waitFor();
    expect(await page.getByText('Is this live?').count()).toBe(0);
    const second = await context.newPage();
    await second.goto('/conversations');
    await second.getByRole('button', { name: /^Live, sandbox or live|Live.*sandbox or live/ }).waitFor();
    await second.getByRole('button', { name: /sandbox or live/ }).click();
    await second.getByRole('option', { name: 'Sandbox' }).click();
    await second.getByText('Is this live?').waitFor();
    // The first tab keeps its environment.
    await page.reload();
    await page.getByText('Replies to your numbers land here.').waitFor();
    await page.getByRole('button', { name: /sandbox or live/ }).click();
    await page.getByRole('option', { name: 'Sandbox' }).click();
    await page.getByText('Is this live?').waitFor();
    await second.close();
  });

  it('until when a conversation is snoozed, in the time zone of the profile', async () => {
    const { page, go, sandbox } = portal;
    const zone = (timeZone: string | null) =>
      page.route('**/api/portal/v1/me', async (route) => {
        const answer = await route.fetch();
        const me = await answer.json();
        me.data.timeZone = timeZone;
        await route.fulfill({ response: answer, json: me });
      });
    await zone('Asia/Tokyo');
    await go(`/conversations/${sandbox.from}/${phone}`);
    await page.getByRole('button', { name: 'Snooze', exact: true }).click();
    await page.getByRole('menuitem', { name: /^Until tomorrow morning, .* 9:00:00\sAM$/ }).waitFor();
    await page.getByRole('menuitem', { name: /^Until next Monday, .* 9:00:00\sAM$/ }).waitFor();
    await page.keyboard.press('Escape');
    await page.unrouteAll();
  });

  it('that a message has no route, in the colours of a fault', async () => {
    const { page, go, sandbox } = portal;
    const answer = (outcome: string, takesKind: boolean) =>
      page.route('**/api/portal/v1/routes/test', async (route) => {
        const response = await route.fetch();
        const json = await response.json();
        for (const rule of json.data.rules) for (const carrier of rule.carriers) carrier.takesKind = takesKind;
        await route.fulfill({ response, json: { ...json, data: { ...json.data, outcome } } });
      });
    await answer('Rule us-b has no carrier that is on and takes it: refused with NO_ROUTE.', false);
    await go('/routes?tab=tester');
    await page.getByLabel('From', { exact: true }).fill(sandbox.from);
    await page.getByLabel('To', { exact: true }).fill(phone);
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    const fault = page.getByRole('alert').filter({ hasText: 'It is refused: NO_ROUTE' });
    await fault.getByText(/^Rule us-b has no carrier/).waitFor();
    await page.getByRole('cell', { name: 'fits, and no carrier takes it' }).first().waitFor();
    await wideAndNarrow(portal, 'rules-tester-refused');
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Test', exact: true }).click();
    await page.getByText('It has a way').waitFor();
    expect(await fault.count()).toBe(0);
  });

  it('that an invitation has expired, and what to do next', async () => {
    const guest = await openBrowser(portal.sandbox, { signedIn: false });
    await guest.go(`/invitation#k=${'A'.repeat(43)}`);
    await guest.page.getByText('This invitation was used already, or is over').waitFor();
    expect(await guest.page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    expect(await guest.page.getByText('npx helio').count()).toBe(0);
    await wideAndNarrow(guest, 'invitation-over');
    await guest.page.getByRole('link', { name: 'Sign in' }).click();
    await guest.page.getByLabel('E-mail').waitFor();
    await guest.context.close();
  });

  it('whether a switch is on in forced colours', async () => {
    const { page, go } = portal;
    await page.emulateMedia({ forcedColors: 'active' });
    await go('/settings/company');
    const one = page.getByRole('switch').first();
    await one.waitFor({ state: 'attached' });
    const look = () =>
      page.evaluate<[track: string, knob: string]>(`(() => {
        const label = document.querySelector('input[role=switch]').closest('label');
        const track = [...label.querySelectorAll('span')].find((each) => getComputedStyle(each, '::before').width === '14px');
        return [track, '::before'].map((part) => getComputedStyle(track, part === track ? null : part).backgroundColor);
      })()`);
    const [before, isOn] = [await look(), await one.isChecked()];
    await one.press('Space');
    expect(await one.isChecked()).toBe(!isOn);
    await page.mouse.move(0, 0);
    await expect.poll(look).not.toEqual(before);
    // The knob's colour differs from its track's.
    for (const [track, knob] of [before, await look()]) expect(track).not.toBe(knob);
    await one.press('Space');
    await portal.screenshot('forced-colours');
    await page.emulateMedia({ forcedColors: 'none' });
  });
});
