/**
 * The portal draws a carrier's form from the settings that the gateway describes. It also draws a kind that it does not
 * know, with settings it has no labels for: it can be filled in, its faults are shown field by field, and it is sent
 * like every other form.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { also, formField, inGroup, password } from '../../packages/gateway/src/carriers/setting.ts';
import { wholeNumber, withDefault } from '../../packages/gateway/src/kernel/property.ts';
import { faultsWithin, noBrowser, openPortal, type Portal, wideAndNarrow } from './fixture.ts';

const settings = [
  ...inGroup('connection', {
    region: { type: 'string', enum: ['us', 'eu'], allowed: '"us", "eu"' },
    patience: also(withDefault(wholeNumber(10, 900), 30), { unit: 'ms' }),
  }),
  ...inGroup('identity', {
    token: { ...password(64), description: 'The provider shows it once.' },
    sender: also({ type: 'string', allowed: 'a name' }, { description: 'Who your texts are from.' }),
    'callback.path': { type: 'string', default: '', allowed: 'a path' },
  }),
  ...inGroup('tls', {
    pin: withDefault({ type: 'boolean', allowed: 'true or false' }, false),
    pinned: also({ type: 'string', default: '', allowed: 'a digest' }, { needs: { setting: 'pin', is: [true] } }),
  }),
];
const toy = { name: 'toy', title: 'Toy', carries: 'texts over HTTP', takes: ['SMS'], fields: settings.map(formField) };

let portal: Portal;

describe.skipIf(noBrowser)('the form of a carrier', () => {
  beforeAll(async () => {
    portal = await openPortal();
    await portal.page.route('**/api/portal/v1/carriers/kinds', async (route) => {
      const answer = await route.fetch();
      const json = (await answer.json()) as { data: object[] };
      await route.fulfill({ response: answer, json: { ...json, data: [...json.data, toy] } });
    });
  });

  it('has the settings of each kind, with their defaults and bounds', async () => {
    const { page, go } = portal;
    await go('/carriers');
    await page.getByRole('button', { name: 'Add carrier' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add a carrier' });
    const port = dialog.getByLabel('Port', { exact: true });
    expect(await port.getAttribute('placeholder')).toBe('2775');
    await dialog.getByText('1 to 65535.', { exact: true }).waitFor();
    await dialog.getByRole('button', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'MM4 (MMS over SMTP)' }).click();
    expect(await port.getAttribute('placeholder')).toBe('25');
    const patience = dialog.getByLabel('Patience for an acknowledgement, ms');
    await patience.waitFor();
    await dialog.getByText('Wait for acknowledgements · MM4_forward.RES').click();
    await patience.waitFor({ state: 'detached' });
    expect(await faultsWithin(portal)).toEqual([]);
    await wideAndNarrow(portal, 'kinds-mm4');
    await page.emulateMedia({ colorScheme: 'dark' });
    await wideAndNarrow(portal, 'kinds-mm4-dark');
    await page.emulateMedia({ colorScheme: 'light' });
  });

  it('draws a kind that the portal does not know, and sends its fields', async () => {
    const { page } = portal;
    const dialog = page.getByRole('dialog', { name: 'Add a carrier' });
    await dialog.getByRole('button', { name: 'Kind' }).click();
    await page.getByRole('option', { name: 'Toy (texts over HTTP)' }).click();
    await dialog.getByText('Who your texts are from. Allowed: a name.').waitFor();
    await dialog.getByText('The provider shows it once. Written once; never shown again.').waitFor();
    await dialog.getByText('10 to 900.', { exact: true }).waitFor();
    expect(await dialog.getByLabel('patience, ms').getAttribute('placeholder')).toBe('30');
    expect(await dialog.getByLabel('token').getAttribute('type')).toBe('password');
    expect(await dialog.getByLabel('pinned').count()).toBe(0);
    await dialog.getByText('pin', { exact: true }).click();
    await dialog.getByLabel('pinned').fill('ab12');
    await dialog.getByLabel('Id', { exact: true }).fill('toy-a');
    await dialog.getByLabel('token').fill(' unseen ');
    await dialog.getByLabel('sender').fill(' Shop ');
    await dialog.getByLabel('callback.path').fill('/in');
    await dialog.getByLabel('patience, ms').fill('soon');
    expect(await faultsWithin(portal)).toEqual([]);
    await wideAndNarrow(portal, 'kinds-unknown');
    let sent: unknown;
    const fields = { patience: 'Write a whole number from 10 to 900.' };
    await page.route('**/api/portal/v1/carriers', async (route) => {
      if (route.request().method() !== 'POST') return route.fallback();
      sent = route.request().postDataJSON();
      const json = { success: false, reason: 'VALIDATION_FAILED', detail: 'Some fields are wrong.', fields };
      return route.fulfill({ status: 400, json });
    });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('Write a whole number from 10 to 900.').first().waitFor();
    expect(sent).toEqual({
      record: {
        kind: 'toy',
        id: 'toy-a',
        enabled: true,
        region: 'us',
        patience: 'soon',
        token: ' unseen ',
        sender: 'Shop',
        callback: { path: '/in' },
        pin: true,
        pinned: 'ab12',
      },
    });
  });
});
