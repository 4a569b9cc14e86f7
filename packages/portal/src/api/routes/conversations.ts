/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface ConversationPage {
  conversations: ConversationThread[];
  unread: number;
}

export interface ConversationThread {
  number: string;
  peer: string;
  /** Of the contact; empty where there is none. */
  name: string;
  lastMessageId: string;
  lastAt: string;
  lastText: string | null;
  lastTextLength?: number;
  lastMedia: number;
  /** The last message to the telephone, where it is newer. */
  reply: { text: string | null; textLength?: number; media: number; at: string } | null;
  unread: number;
  done: boolean;
  assignedTo: Assignee | null;
  snoozedUntil: string | null;
}

export interface Assignee {
  userId: string;
  name: string;
}

export interface ThreadPage {
  number: string;
  peer: string;
  unread: number;
  done: boolean;
  assignedTo: Assignee | null;
  snoozedUntil: string | null;
  contact: { name: string; note: string; tags: string[] } | null;
  /** Whether the telephone has ever written. */
  begun: boolean;
  closed: { reason: string; detail: string; since: string | null } | null;
  /** Its name in the audit log. */
  auditTarget: string;
  messages: ThreadMessage[];
}

export interface ThreadMessage {
  messageId: string;
  referenceId: string;
  requestId: string;
  direction: 'outbound' | 'inbound';
  from: string;
  to: string;
  text: string | null;
  textLength?: number;
  mediaUrls: string[];
  /** For a message from a handset: details of each of `mediaUrls`. */
  media?: MediumFact[];
  subject?: string | null;
  subjectLength?: number;
  /** Base64 of content that is not text. */
  data?: string | null;
  dataLength?: number;
  /** Other addresses of a group message. */
  participants?: string[];
  /** SMPP data_coding of `data`. */
  dataCoding?: number;
  /** Message class of GSM 03.38; 0 is a flash message. */
  messageClass?: number;
  /** Application ports, 0–65535. */
  ports?: { source: number; destination: number };
  messageType: 'SMS' | 'MMS';
  encoding: 'GSM-7' | 'UCS-2' | null;
  segments: number;
  state: string;
  code: string | null;
  carrier: string | null;
  carrierCode: string | null;
  /** It may have been received or sent twice. */
  dupRisk: boolean;
  acceptedAt: string;
  updatedAt: string;
}

export interface MediumFact {
  url: string;
  type: string;
  size: number;
  name: string;
  state?: 'failed' | 'fetched' | 'fitted' | 'skipped';
  fitted?: FittedFact[];
  altered?: 'still' | 'fewer-frames';
  width?: number;
  height?: number;
  frames?: number;
}

export interface FittedFact {
  limit: number;
  type: string;
  size: number;
  altered?: 'still' | 'fewer-frames';
  width?: number;
  height?: number;
  frames?: number;
}

export interface ConversationsRoutes {
  'GET /conversations': {
    query: {
      number?: string | null;
      peer?: string | null;
      q?: string | null;
      state?: string | null;
      assigned?: string | null;
      before?: string | null;
      limit?: string | null;
    };
    body: undefined;
    answer: ConversationPage;
  };
  'GET /conversations/:number/:peer': {
    query: { before?: string | null; limit?: string | null };
    body: undefined;
    answer: ThreadPage;
  };
  'POST /conversations/:number/:peer': {
    query: Record<never, never>;
    body: { readTo?: string; done?: boolean; assignedTo?: string | null; snoozedUntil?: string | null };
    answer: Record<string, never>;
  };
  'POST /conversations/:number/:peer/here': {
    query: Record<never, never>;
    body: { here: boolean };
    answer: { people: Assignee[] };
  };
}
