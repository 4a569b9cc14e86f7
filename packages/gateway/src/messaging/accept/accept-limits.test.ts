import { expect, it } from 'vitest';
import { answer, reason, world } from './accept-fixture.ts';

it('a name sends where it may, but never to the US, and no MMS', async () => {
  const destinations = ['US', 'DO', 'JM', 'BB'];
  const { send, stored } = world({ account: { destinations } });
  const sent = await send({ from: 'Acme Shop', to: ['18095550100', '18765550100', '12465550100', '14155550100'] });
  expect(answer(sent).results.map(({ status }) => status)).toEqual([
    'SUCCESS',
    'SUCCESS',
    'DESTINATION_NOT_ALLOWED',
    'DESTINATION_NOT_ALLOWED',
  ]);
  expect(stored).toHaveLength(1);
  const mms = await send({ from: 'Acme Shop', to: ['18095550100'], mediaUrls: ['https://example.com/a.jpg'] });
  expect(reason(mms)).toBe('SENDER_NOT_ENABLED');
  expect(mms.kind === 'rejected' && mms.detail).toContain('names send no MMS');
  expect(reason(await send({ from: 'acme shop', to: ['18095550100'] }))).toBe('SENDER_NOT_FOUND');
});

it('D-15: while the disk has no room for new messages, none is stored, but a dry run and a request that nobody can have are answered', async () => {
  let hasSpace = false;
  const { send, stored } = world({ hasSpace: () => hasSpace });
  await expect(send({})).rejects.toMatchObject({ name: 'StoreUnavailable', reason: 'full' });
  expect(reason(await send({}, { dryRun: true }))).toBe('SUCCESS');
  expect(reason(await send({ to: ['1'] }))).toBe('SUCCESS');
  expect(stored).toHaveLength(0);
  hasSpace = true;
  expect(reason(await send({}))).toBe('SUCCESS');
});
