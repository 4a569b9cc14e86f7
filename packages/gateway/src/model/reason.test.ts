import { describe, expect, it } from 'vitest';
import { httpStatusOf, outcomeCodes, readOutcomeCode, reasons, recipientStatuses, requestReasons } from './reason.ts';

const words = (text: string): string[] => text.trim().split(/\s+/);

describe('the catalogue of codes', () => {
  it('holds every request reason', () => {
    expect(Object.keys(requestReasons).sort()).toEqual(
      words(`SUCCESS NOT_AUTHORIZED INVALID_REQUEST INVALID_JSON MISSING_FIELD INVALID_FIELD INVALID_SENDER SENDER_NOT_FOUND
        SENDER_NOT_ENABLED CAMPAIGN_REQUIRED CAMPAIGN_NOT_ACTIVE EMPTY_RECIPIENTS TOO_MANY_RECIPIENTS TEXT_EMPTY TEXT_TOO_LONG
        INVALID_MEDIA_URL TOO_MANY_MEDIA INVALID_REFERENCE_ID UNSUPPORTED_CONTENT_TYPE BODY_TOO_LARGE IDEMPOTENCY_KEY_REUSED
        ACCOUNT_SUSPENDED SPEND_LIMIT_REACHED RATE_LIMITED NOT_FOUND NOT_WAITING METHOD_NOT_ALLOWED TEMPORARILY_UNAVAILABLE
        INTERNAL_ERROR`).sort(),
    );
  });

  it('holds every recipient status', () => {
    expect(Object.keys(recipientStatuses).sort()).toEqual(
      words(`SUCCESS INVALID_NUMBER SENDER_EQUALS_RECIPIENT DUPLICATE_RECIPIENT DESTINATION_NOT_ALLOWED OPTED_OUT NO_ROUTE
        RATE_LIMITED BLOCKED_BY_FRAUD_GUARD`).sort(),
    );
  });

  it('holds every outcome code', () => {
    expect(Object.keys(outcomeCodes).sort()).toEqual(
      words(`DELIVERED UNREACHABLE UNKNOWN_SUBSCRIBER NOT_MOBILE EXPIRED CANCELED CARRIER_REJECTED CARRIER_FILTERED
        CARRIER_OPTED_OUT CAMPAIGN_LIMIT DAILY_CAP_REACHED QUIET_HOURS CARRIER_UNAVAILABLE MALFORMED MEDIA_UNREACHABLE MEDIA_BLOCKED
        MEDIA_TOO_LARGE MEDIA_TYPE_NOT_SUPPORTED MMS_NOT_SUPPORTED NO_RECEIPT UNCERTAIN OPTED_OUT SENDER_NOT_ENABLED
        CAMPAIGN_NOT_ACTIVE GATEWAY_ERROR UNKNOWN`).sort(),
    );
  });

  it('says of every entry what to do', () => {
    expect(reasons).toHaveLength(29 + 9 + 26);
    expect(new Set(reasons.map(({ scope, code }) => `${scope} ${code}`)).size).toBe(reasons.length);
    for (const { code, title, cause, fix, httpStatus, scope, billed } of reasons) {
      expect(title, code).not.toBe('');
      expect(cause.length, code).toBeGreaterThan(0);
      expect(fix.length, code).toBeGreaterThan(0);
      if (scope === 'outcome') expect(httpStatus, code).toBeNull();
      if (scope === 'recipient') expect(httpStatus, code).toBe(200);
      if (scope === 'request' && code !== 'SUCCESS') expect(billed, code).toBe('no');
    }
  });

  it('answers everything the caller caused with 400', () => {
    const others: Record<string, number> = {
      SUCCESS: 200,
      NOT_FOUND: 404,
      NOT_WAITING: 409,
      METHOD_NOT_ALLOWED: 405,
      RATE_LIMITED: 429,
      TEMPORARILY_UNAVAILABLE: 503,
      INTERNAL_ERROR: 500,
    };
    for (const code of Object.keys(requestReasons)) expect(httpStatusOf(code), code).toBe(others[code] ?? 400);
  });

  it('takes a code it does not know for our own fault', () => {
    for (const code of ['NO_SUCH_CODE', '', 'constructor', '__proto__', 'toString'])
      expect(httpStatusOf(code)).toBe(500);
  });

  it('reads a code of the store, and one that it does not know as UNKNOWN', () => {
    for (const code of Object.keys(outcomeCodes)) expect(readOutcomeCode(code)).toBe(code);
    expect(readOutcomeCode(null)).toBeNull();
    for (const code of ['OF_A_NEWER_VERSION', 'BODY_TOO_LARGE', '', 'constructor', '__proto__'])
      expect(readOutcomeCode(code), code).toBe('UNKNOWN');
  });
});
