/** The package's public API. */
export type { AddressPolicy, SimulatorAddress } from './address-rules.ts';
export { type Clock, systemClock } from './clock.ts';
export type { ConnectTcp } from './dial.ts';
export {
  createGuardedFetch,
  defaultFetchLimits,
  type FetchCaps,
  type Fetched,
  type FetchLimits,
  type FetchRequest,
  type GuardedFetch,
  type GuardedFetchParts,
  type ResolvedUrlCheck,
} from './guarded-fetch.ts';
export { type HeaderRules, headerRules, isUsableHeader } from './header-rules.ts';
export { machineAddresses } from './machine-addresses.ts';
export type { UnreachableReason } from './reach.ts';
export { machineResolve, type Resolve } from './resolve.ts';
export type { ResponseCaps } from './round-trip.ts';
export { headerBytesMax, skipContinue } from './skip-continue.ts';
export { type BlockedReason, checkUrl, type UrlCheck, type UrlPolicy } from './url-rules.ts';
