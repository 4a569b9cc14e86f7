/** The gateway's messages, read through `GET /api/v1/messages` as a customer would. */
import { callApi } from './api.ts';

/** The fields of a message that the checker needs. */
export interface LoggedMessage {
  messageId: string;
  to: string;
  text: string;
  state: string;
  code: string | null;
  dupRisk: boolean;
  events: { eventId: string; sequence: number; state: string; code: string | null }[];
}

export interface MessageLog {
  /** All messages of a direction (default: outbound), newest first. */
  all(direction?: 'outbound' | 'inbound'): Promise<LoggedMessage[]>;
}

const pageMessages = 100;

export function readMessageLog(port: number): MessageLog {
  return {
    all: async (direction = 'outbound') => {
      const messages: LoggedMessage[] = [];
      for (let query = ''; ; ) {
        const path = `/api/v1/messages?direction=${direction}&limit=${pageMessages}${query}`;
        const { data, next } = await callApi<LoggedMessage[]>(port, { path });
        messages.push(...data);
        if (next === null || data.length === 0) return messages;
        query = `&before=${encodeURIComponent(next)}`;
      }
    },
  };
}
