/** What the gateway itself says of its messages, read through `GET /api/v1/messages` as any customer would. */
import { setTimeout as wait } from 'node:timers/promises';
import { liveCaller } from './live-records.ts';

/** The fields of a message that the checker judges by. */
export interface LoggedMessage {
  messageId: string;
  to: string;
  state: string;
  code: string | null;
  dupRisk: boolean;
  events: { sequence: number; state: string; code: string | null }[];
}

export interface MessageLog {
  /** All outbound messages, newest first. */
  all(): Promise<LoggedMessage[]>;
}

const pageMessages = 100;
const triesMax = 40;
const retryMs = 250;

export function readMessageLog(port: number): MessageLog {
  async function page(query: string): Promise<{ data: LoggedMessage[]; next: string | null }> {
    for (let tries = 1; ; tries++) {
      const path = `/api/v1/messages?direction=outbound&limit=${pageMessages}${query}`;
      const response = await fetch(`http://127.0.0.1:${port}${path}`, {
        headers: {
          authorization: `Bearer ${liveCaller.bearerToken}`,
          'x-api-key': liveCaller.authToken,
          connection: 'close',
        },
      });
      const body = (await response.json()) as { data: LoggedMessage[]; next: string | null; reason: string };
      if (response.status === 200) return body;
      if (response.status < 429 || tries === triesMax) throw new Error(`${path}: ${response.status} ${body.reason}`);
      await wait(retryMs);
    }
  }

  return {
    all: async () => {
      const messages: LoggedMessage[] = [];
      for (let query = ''; ; ) {
        const { data, next } = await page(query);
        messages.push(...data);
        if (next === null || data.length === 0) return messages;
        query = `&before=${encodeURIComponent(next)}`;
      }
    },
  };
}
