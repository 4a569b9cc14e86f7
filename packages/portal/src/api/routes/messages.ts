/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

import type {
  BulkPreview,
  BulkRan,
  FullMessage,
  Message,
  MessageList,
  MessageStates,
  MessageStory,
  RefusedAnswer,
  RoutingTree,
  SentRequest,
  State,
} from './messages-answers';

export type * from './messages-answers';

export interface MessagesRoutes {
  'GET /messages': {
    query: {
      q?: string | null;
      before?: string | null;
      limit?: string | null;
      after?: string | null;
      by?: string | null;
    };
    body: undefined;
    answer: MessageList;
  };
  'GET /messages/:messageId': {
    query: Record<never, never>;
    body: undefined;
    answer: Message;
  };
  'GET /messages/:messageId/full': {
    query: Record<never, never>;
    body: undefined;
    answer: FullMessage;
  };
  'GET /messages/:messageId/media/:place/:form': {
    query: Record<never, never>;
    body: undefined;
    answer: never;
  };
  'GET /messages/:messageId/request': {
    query: Record<never, never>;
    body: undefined;
    answer: SentRequest;
  };
  'GET /messages/:messageId/route': {
    query: Record<never, never>;
    body: undefined;
    answer: RoutingTree;
  };
  'GET /messages/:messageId/story': {
    query: Record<never, never>;
    body: undefined;
    answer: MessageStory;
  };
  'GET /messages/export.csv': {
    query: {
      q?: string | null;
      before?: string | null;
      limit?: string | null;
      after?: string | null;
      by?: string | null;
      timeZone?: string | null;
    };
    body: undefined;
    answer: never;
  };
  'GET /messages/export.jsonl': {
    query: {
      q?: string | null;
      before?: string | null;
      limit?: string | null;
      after?: string | null;
      by?: string | null;
      timeZone?: string | null;
    };
    body: undefined;
    answer: never;
  };
  'GET /messages/refused': {
    query: { q?: string | null; before?: string | null; limit?: string | null };
    body: undefined;
    answer: RefusedAnswer;
  };
  'GET /messages/states': {
    query: { ids?: string | null };
    body: undefined;
    answer: MessageStates;
  };
  'POST /messages/:messageId/cancel': {
    query: Record<never, never>;
    body: unknown;
    answer: { messageId: string; state: State };
  };
  'POST /messages/:messageId/release': {
    query: Record<never, never>;
    body: unknown;
    answer: { messageId: string; state: State };
  };
  'POST /messages/:messageId/resend': {
    query: Record<never, never>;
    body: { way: 'same' | 'fresh' };
    answer: { messageId: string };
  };
  'POST /messages/bulk': {
    query: Record<never, never>;
    body: {
      action: 'cancel' | 'resend';
      way?: 'same' | 'fresh';
      messageIds?: string[];
      runId: string;
      q?: string;
      typed?: string;
    };
    answer: BulkRan;
  };
  'POST /messages/bulk/preview': {
    query: Record<never, never>;
    body: { action: 'cancel' | 'resend'; way?: 'same' | 'fresh'; q?: string };
    answer: BulkPreview;
  };
}
