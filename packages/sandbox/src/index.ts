/** The package's public API. */
export { type SandboxBehaviour, type SandboxReceipt, sandboxBehaviour, testNumbers } from './behaviour.ts';
export { createFaultInjection, type FaultInjection } from './fault-injection.ts';
export type * from './faults.ts';
export { createHandsetStore, defaultHandsetLimits, type HandsetLimits, type HandsetStore } from './handset-store.ts';
export type * from './handsets.ts';
export type * from './machine.ts';
export type { Mm4Gateway } from './mm4-channel.ts';
export type { Mm7Gateway } from './mm7-channel.ts';
export type { NewsListener } from './news.ts';
export { type Recorder, startRecorder } from './recorder.ts';
export { noPair, type Said, type WirePair } from './said.ts';
export { type Sandbox, type SandboxOptions, startSandbox } from './sandbox.ts';
export { end, listenPreferred, readBody } from './servers.ts';
export { createTimers } from './timers.ts';
export { createWaiters } from './waiters.ts';
