/**
 * `@heliograph/client/testing`: handsets of the sandbox for automated tests, and waiting for messages on them. For a
 * sandbox only; with a live key pair every call is refused.
 */
import { Heliograph, type HeliographOptions } from './heliograph.ts';
import { HeliographError } from './heliograph-error.ts';
import type { HandsetBehaviour, HandsetMessage, HandsetReply, QueuedReply, SandboxFaults } from './sandbox-calls.ts';

export type { HandsetBehaviour, HandsetMessage, HandsetReply, QueuedReply, SandboxFaults } from './sandbox-calls.ts';

export interface WaitOptions {
  /** Default 10,000; the gateway waits in whole seconds. */
  timeoutMs?: number;
  /** Only messages from this number of yours. */
  from?: string;
  signal?: AbortSignal;
}

/** A matching message, with the result of the pattern: `match[1]` is its first group. */
export interface WaitedMessage extends HandsetMessage {
  match: RegExpMatchArray;
}

export interface TestHandset {
  readonly number: string;
  /**
   * The first message after the last match whose text matches; waits for it. Throws HeliographError `TIMEOUT` when none
   * comes in time, listing the texts that did come.
   */
  waitForMessage(pattern: RegExp, options?: WaitOptions): Promise<WaitedMessage>;
  /** The newest 100 messages since the last match. */
  messages(): Promise<HandsetMessage[]>;
  reply(reply: string | HandsetReply): Promise<QueuedReply>;
  /** Replaces all settings: `{}` makes the handset ordinary again. */
  behave(behaviour: HandsetBehaviour): Promise<void>;
}

export interface TestSandbox {
  /** Each has its own position in the messages, starting at the first one that the handset holds. */
  handset(number: string): TestHandset;
  /** Empties all handsets, makes them ordinary and ends faults. For `beforeEach`. */
  reset(): Promise<void>;
  faults(faults: SandboxFaults): Promise<void>;
}

const timeoutMsDefault = 10_000;
/** The longest wait of one call; the gateway allows 60. */
const waitSecondsMax = 20;
const shownMax = 5;

/** For a gateway other than the one in the environment. Throws HeliographError `INVALID_CONFIGURATION`. */
export function createSandbox(options: HeliographOptions = {}): TestSandbox {
  return sandboxOf(() => new Heliograph(options));
}

/** Configured by `HELIO_URL`, `HELIO_BEARER_TOKEN` and `HELIO_AUTH_TOKEN`, which are read at the first call. */
export const sandbox: TestSandbox = sandboxOf(() => new Heliograph());

function sandboxOf(open: () => Heliograph): TestSandbox {
  let opened: Heliograph | null = null;
  const client = () => {
    opened ??= open();
    return opened.sandbox;
  };

  function handset(number: string): TestHandset {
    let after: string | undefined;

    async function waitForMessage(pattern: RegExp, options: WaitOptions = {}): Promise<WaitedMessage> {
      const { timeoutMs = timeoutMsDefault, from, signal } = options;
      // A pattern with `g` or `y` keeps its last position.
      const fits = new RegExp(pattern.source, pattern.flags.replace(/[gy]/g, ''));
      const untilMs = performance.now() + timeoutMs;
      const seen: string[] = [];
      for (let looked = after; ; ) {
        const leftMs = Math.max(0, untilMs - performance.now());
        const waitSeconds = Math.min(waitSecondsMax, Math.ceil(leftMs / 1_000));
        const page = await client().messages(number, { after: looked, waitSeconds }, { signal });
        for (const message of page) {
          looked = message.id;
          const match = from === undefined || message.from === from ? (message.text ?? '').match(fits) : null;
          if (match !== null) {
            after = message.id;
            return { ...message, match };
          }
          seen.push(JSON.stringify(message.text));
        }
        if (page.length === 0 && performance.now() >= untilMs) throw inVain(number, pattern, timeoutMs, seen);
      }
    }

    return {
      number,
      waitForMessage,
      messages: () => client().messages(number, { after }),
      reply: (reply) => client().reply(number, typeof reply === 'string' ? { text: reply } : reply),
      behave: async (behaviour) => {
        await client().setBehaviour(number, behaviour);
      },
    };
  }

  return {
    handset,
    reset: () => client().reset(),
    faults: async (faults) => {
      await client().setFaults(faults);
    },
  };
}

function inVain(number: string, pattern: RegExp, timeoutMs: number, seen: readonly string[]): HeliographError {
  const others = seen.length === 0 ? 'Nothing came.' : `What came: ${seen.slice(-shownMax).join(', ')}.`;
  return new HeliographError(
    'TIMEOUT',
    `No message that fits ${pattern} came to ${number} within ${timeoutMs} ms. ${others}`,
  );
}
