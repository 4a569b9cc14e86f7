import '../language/english';

import { afterEach, describe, expect, it, vi } from 'vitest';
import { type AccessRefusal, ApiError, api, onAccessRefused, setCsrf } from './client';
import { meQuery } from './session';
import { signInAddress } from './signed-out';

function answering(status: number, reason: string): void {
  const answer = { success: false, reason, detail: 'No.' };
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(JSON.stringify(answer), { status })));
}

const me = () => (meQuery.queryFn as () => Promise<unknown>)();

afterEach(() => {
  onAccessRefused(null);
  setCsrf('');
  vi.unstubAllGlobals();
});

describe('a session that is over', () => {
  it('is reported to the frame by any request, once somebody is signed in', async () => {
    const refusals: AccessRefusal[] = [];
    onAccessRefused((refusal) => refusals.push(refusal));
    answering(401, 'NOT_SIGNED_IN');
    await expect(api.get('/numbers')).rejects.toBeInstanceOf(ApiError);
    await expect(me()).resolves.toBeNull();
    expect(refusals).toEqual([]);
    setCsrf('token');
    await expect(api.get('/numbers')).rejects.toBeInstanceOf(ApiError);
    await expect(api.post('/numbers', {} as never)).rejects.toBeInstanceOf(ApiError);
    await expect(api.blob('/requests/export.csv')).rejects.toBeInstanceOf(ApiError);
    await expect(me()).rejects.toBeInstanceOf(ApiError);
    expect(refusals).toEqual(Array(4).fill('NOT_SIGNED_IN'));
  });

  it('is not what any other refusal means, but a second factor that is due shuts people out too', async () => {
    const refusals: AccessRefusal[] = [];
    onAccessRefused((refusal) => refusals.push(refusal));
    setCsrf('token');
    answering(401, 'WRONG_PASSWORD');
    await expect(api.post('/me/confirm', {} as never)).rejects.toBeInstanceOf(ApiError);
    answering(403, 'FORBIDDEN');
    await expect(api.get('/numbers')).rejects.toBeInstanceOf(ApiError);
    expect(refusals).toEqual([]);
    answering(403, 'SECOND_FACTOR_NEEDED');
    await expect(api.get('/numbers')).rejects.toBeInstanceOf(ApiError);
    expect(refusals).toEqual(['SECOND_FACTOR_NEEDED']);
  });

  it('leads back to the same address', () => {
    const address = signInAddress({ pathname: '/messages', search: '?q=a%26b&tab=x', hash: '#end' });
    const { pathname, searchParams } = new URL(address, 'http://gateway.test');
    expect([pathname, searchParams.get('next'), searchParams.get('out')]).toEqual([
      '/login',
      '/messages?q=a%26b&tab=x#end',
      'yes',
    ]);
    expect(signInAddress({ pathname: '/', search: '', hash: '' })).toBe('/login?out=yes');
  });
});
