/** What a carrier's record allows and a person should know of before it surprises them: one line each. Refuses nothing. */
import type { CarrierRecord, Mm4Profile, Mm7Profile } from '../domain/records.ts';

export function carrierWarnings(carrier: CarrierRecord): string[] {
  return warningsOf(carrier).map((warning) => `carrier ${carrier.carrierId}: ${warning}`);
}

function warningsOf(carrier: CarrierRecord): string[] {
  if (carrier.kind === 'mm7') return mm7Warnings(carrier.mm7);
  return carrier.kind === 'mm4' ? mm4Warnings(carrier.mm4) : [];
}

function mm7Warnings({ url, inbound }: Mm7Profile): string[] {
  const { username, addresses, clientCertSha256 } = inbound;
  const closed = username === '' && addresses.length === 0 && clientCertSha256.length === 0;
  return [
    ...(url.startsWith('https:') ? [] : ['its url is not https: use it over a private line (VPN) only']),
    ...(closed ? ['inbound is empty: its delivery reports and messages are refused'] : []),
  ];
}

function mm4Warnings({ tls, username, acknowledgement, inbound }: Mm4Profile): string[] {
  const closed = inbound.addresses.length === 0;
  const unanswered = acknowledgement ? ', and so are its acknowledgements, which are waited for' : '';
  return [
    ...(tls === 'none' || tls === 'opportunistic'
      ? [
          `with tls "${tls}" ${username === '' ? 'messages' : 'its password and messages'} may travel in the clear: use it over a private line (VPN) only`,
        ]
      : []),
    ...(closed ? [`inbound.addresses is empty: its delivery reports and messages are refused${unanswered}`] : []),
    ...(!closed && inbound.port === 0 ? ['inbound.port is 0: it listens on another port after each start'] : []),
  ];
}
