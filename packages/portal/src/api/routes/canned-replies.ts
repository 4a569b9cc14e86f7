/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface CannedReply {
  replyId: string;
  title: string;
  text: string;
}

export interface CannedRepliesRoutes {
  'DELETE /canned-replies/:replyId': {
    query: Record<never, never>;
    body: undefined;
    answer: Record<string, never>;
  };
  'GET /canned-replies': {
    query: Record<never, never>;
    body: undefined;
    answer: CannedReply[];
  };
  'POST /canned-replies': {
    query: Record<never, never>;
    body: { title: string; text: string };
    answer: { replyId: string };
  };
  'POST /canned-replies/:replyId': {
    query: Record<never, never>;
    body: { title: string; text: string };
    answer: { replyId: string };
  };
}
