import { describe, expect, it } from 'vitest';
import { hashCredential } from '../model/credential.ts';
import { parseQuery } from './input.ts';
import { Admitted, readPair, type SentParts, sameSecret } from './sent-pair.ts';
import { Target } from './target.ts';

const target = new Target('/SendSMS?apikey=at_one');
const usual: SentParts = { authorization: 'Bearer bt_one', apiKeyHeader: undefined, query: target.query };
const pair = readPair(usual);
const admitted = new Admitted(target, usual, pair);

describe('what a connection was let in with', () => {
  it('is the pair and its hashes', () => {
    expect(pair).toEqual({
      bearer: 'bt_one',
      auth: 'at_one',
      bearerHash: hashCredential('bt_one'),
      authHash: hashCredential('at_one'),
    });
    expect(admitted.pair({ ...usual })).toBe(pair);
    expect(admitted.target('/SendSMS?apikey=at_one')).toBe(target);
  });

  it.each<[string, Partial<SentParts>]>([
    ['another Bearer Token', { authorization: 'Bearer bt_two' }],
    ['one that is longer', { authorization: 'Bearer bt_one1' }],
    ['no Bearer Token', { authorization: undefined }],
    ['an empty header', { apiKeyHeader: '' }],
    ['an Auth Token in the header too', { apiKeyHeader: 'at_two' }],
    ['another query', { query: parseQuery('apikey=at_two') }],
    ['none at all', { authorization: undefined, query: parseQuery('') }],
  ])('does not stand for %s', (_, changed) => {
    expect(admitted.pair({ ...usual, ...changed })).toBeNull();
  });

  it.each(['/SendSMS?apikey=at_two', '/SendMMS?apikey=at_one', '/SendSMS?apikey=at_one1', '/SendSMS', ''])(
    'does not stand for the target %j',
    (url) => {
      expect(admitted.target(url)).toBeNull();
    },
  );
});

describe('two secrets', () => {
  it.each([
    ['', '', true],
    ['a', 'a', true],
    ['bt_one', 'bt_one', true],
    ['bt_one', 'bt_two', false],
    ['bt_one', 'ct_one', false],
    ['bt_one', 'bt_onf', false],
    ['bt_one', 'bt_one ', false],
    ['', 'a', false],
    ['\u{1f600}', '\u{1f601}', false],
    ['\u0141', 'A', false],
  ])('%j and %j: the same is %j', (one, other, expected) => {
    expect(sameSecret(one, other)).toBe(expected);
    expect(sameSecret(other, one)).toBe(expected);
  });
});

describe('a target', () => {
  it.each([
    [
      '/SendSMS?apikey=a%20b&dryRun=true',
      '/SendSMS',
      [
        ['apikey', 'a b'],
        ['dryRun', 'true'],
      ],
    ],
    ['/SendSMS', '/SendSMS', []],
    ['/SendSMS?', '/SendSMS', []],
    ['/a?b?c', '/a', [['b?c', '']]],
    ['http://gateway.example/SendSMS?apikey=a', '/SendSMS', [['apikey', 'a']]],
    ['HTTPS://gateway.example', '/', []],
    ['/', '/', []],
  ])('%s is taken apart', (url, path, query) => {
    expect(new Target(url)).toMatchObject({ url, path, query });
  });
});
