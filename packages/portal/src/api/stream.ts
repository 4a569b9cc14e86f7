/**
 * Follows the gateway's event stream and reports the connection's state. The browser resumes it with Last-Event-ID by
 * itself.
 */

export type LiveState = 'live' | 'reconnecting';

export type StreamMessage =
  | { kind: 'state'; state: LiveState }
  /** Events may be missing: everything shown must be refetched. */
  | { kind: 'gap' }
  /** The gateway, or a proxy in front of it, accepts no stream. */
  | { kind: 'refused' }
  /** The session is over: no more events come. */
  | { kind: 'ended' }
  | { kind: 'event'; type: LiveType; data: LiveData };

export const liveTypes = [
  'message',
  'contact',
  'carrier',
  'records',
  'handset',
  'webhook',
  'conversation',
  'presence',
  'request',
] as const;
export type LiveType = (typeof liveTypes)[number];

export interface LiveData {
  messageId?: string;
  type?: string;
  state?: string;
  code?: string | null;
  direction?: 'outbound' | 'inbound';
  from?: string;
  to?: string;
  at?: string;
  number?: string;
  version?: number;
  carrierId?: string;
  endpointId?: string;
  deliveryId?: string;
  peer?: string;
  people?: { userId: string; name: string }[];
}

/** Longer silence means that the connection is dead: the gateway sends something every 15 s. */
const silenceMsMax = 40_000;

export function followStream(notify: (message: StreamMessage) => void): { close(): void } {
  let source: EventSource;
  let silence: ReturnType<typeof setTimeout>;
  let lost = false;

  const reopenIn = (ms: number) => {
    clearTimeout(silence);
    silence = setTimeout(reopen, ms);
  };
  const heard = () => reopenIn(silenceMsMax);

  function open(): void {
    source = new EventSource('/api/portal/v1/stream');
    // A gateway may accept the connection and send nothing: the browser would wait for ever.
    heard();
    source.onopen = () => {
      notify({ kind: 'state', state: 'live' });
      if (lost) notify({ kind: 'gap' });
      lost = false;
      heard();
    };
    source.onerror = () => {
      lost = true;
      notify({ kind: 'state', state: 'reconnecting' });
      // A refusal closes the source for good (signed out, gateway down behind a proxy): try again later.
      if (source.readyState !== EventSource.CLOSED) return;
      notify({ kind: 'refused' });
      reopenIn(5_000);
    };
    source.addEventListener('ping', heard);
    source.addEventListener('gap', () => {
      heard();
      notify({ kind: 'gap' });
    });
    source.addEventListener('bye', (event) => {
      const { why } = JSON.parse((event as MessageEvent<string>).data) as { why: string };
      if (why !== 'session') return;
      clearTimeout(silence);
      source.close();
      notify({ kind: 'ended' });
    });
    for (const type of liveTypes) {
      source.addEventListener(type, (event) => {
        heard();
        notify({ kind: 'event', type, data: JSON.parse((event as MessageEvent<string>).data) as LiveData });
      });
    }
  }

  function reopen(): void {
    source.close();
    lost = true;
    notify({ kind: 'state', state: 'reconnecting' });
    open();
  }

  open();
  return {
    close: () => {
      clearTimeout(silence);
      source.close();
    },
  };
}
