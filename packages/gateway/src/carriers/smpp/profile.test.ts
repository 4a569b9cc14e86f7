import { describe, expect, it } from 'vitest';
import { completeSmpp, smppDetails } from './profile.ts';

describe('a record of an older version', () => {
  it('has the defaults of a new one where nothing is set', () => {
    const old = { source_addr_ton: 1, source_addr_npi: 1 };
    expect(completeSmpp(old)).toEqual({ ...smppDetails, ...old });
  });

  it('sends short codes as it did where the type of senders was set', () => {
    const old = { source_addr_ton: 6, source_addr_npi: 9 };
    expect(completeSmpp(old)).toMatchObject({ short_code_ton: 6, short_code_npi: 9, alphanumeric_ton: 5 });
  });
});

it('what is set counts, also beside what is left open', () => {
  const given = {
    source_addr_ton: 6,
    source_addr_npi: 9,
    short_code_ton: 0,
    trustText: 'always',
    reconnectMs: undefined,
  };
  const whole = completeSmpp(given as never);
  expect(whole).toMatchObject({ short_code_ton: 0, short_code_npi: 9, trustText: 'always', reconnectMs: 1_000 });
});
