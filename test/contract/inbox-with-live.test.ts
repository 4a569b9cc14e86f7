/** The sandbox's webhook inbox beside a live carrier: it stays, but only for records of the sandbox. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type SandboxGateway, startSandbox } from '../props/sandbox.ts';

let gateway: SandboxGateway;

beforeAll(async () => {
  // Nothing listens at this address: the carrier only has to be on record.
  const link = { host: '127.0.0.1', port: 9, system_id: 'us', password: 'secret', bindMode: 'transceiver' };
  gateway = await startSandbox({ records: { carriers: [{ id: 'smsc', kind: 'smpp', ...link }] } });
});
afterAll(() => gateway.stop());

it('gets events of sandbox messages, signed', async () => {
  const messageId = await gateway.text('12025550100', 'Still here?');
  await gateway.until(messageId, ['delivered']);
  const types: string[] = [];
  for (let after = ''; !types.includes('message.delivered'); ) {
    const { json } = await gateway.get(`/api/v1/sandbox/webhooks?wait=10${after}`);
    expect(json.data.length, JSON.stringify(types)).toBeGreaterThan(0);
    for (const { body, signature } of json.data) {
      types.push(JSON.parse(body).type);
      expect(signature.valid).toBe(true);
    }
    after = `&after=${json.data.at(-1).id}`;
  }
});

it('is the only place on this machine that sandbox webhooks may then go to', async () => {
  const { json } = await gateway.get('/api/v1/endpoints');
  const inbox = json.data.find(({ endpointId }: { endpointId: string }) => endpointId === 'ep_sandbox_inbox');
  const created = await gateway.post('/api/v1/endpoints', { name: 'The same', url: inbox.url });
  expect(created.json, created.text).toMatchObject({ success: true });
  const beside = new URL(inbox.url);
  beside.port = String(Number(beside.port) === 65_535 ? 1_024 : Number(beside.port) + 1);
  const refused = await gateway.post('/api/v1/endpoints', { name: 'Another port', url: beside.href });
  expect(refused.status).toBe(400);
});
