import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Doors, openDoors, speak, speakRaw } from './doors-fixture.ts';
import { testCertificate, testKey } from './tls-fixture.ts';

let doors: Doors;
beforeAll(async () => {
  doors = await openDoors({ config: { tls: { cert: testCertificate, key: testKey } } });
});
afterAll(() => doors.close());

describe('https', () => {
  it('answers like http', async () => {
    const answer = await speak(doors, { tls: true });
    expect(answer.status).toBe(200);
    expect((await speak(doors, { tls: true, body: 'x'.repeat(300_000) })).json.reason).toBe('BODY_TOO_LARGE');
    expect((await speak(doors, { tls: true, method: 'GET', headers: { accept: 'text/html' } })).text).toContain(
      'https://localhost:',
    );
  });

  it('SEC-11 plain http on its port is refused without a word, least of all a redirect', async () => {
    const { text } = await speakRaw(doors, `GET /SendSMS?apikey=canary HTTP/1.1\r\nHost: x\r\n\r\n`);
    expect(text).not.toMatch(/HTTP\/|Location|canary/);
    expect((await speak(doors, { tls: true })).status).toBe(200);
  });

  it('survives garbage for a handshake', async () => {
    await speakRaw(doors, Buffer.alloc(5_000, 0x16));
    expect((await speak(doors, { tls: true })).status).toBe(200);
  });
});
