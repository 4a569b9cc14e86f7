/** Routes of the gateway, as it has them. Written by `npm run goldens`: do not edit. */

export interface Reason {
  code: string;
  scope: 'request' | 'recipient' | 'outcome';
  httpStatus: number | null;
  retryable: boolean;
  billed: 'no' | 'yes' | 'if_sent';
  issued: boolean;
  title: string;
  cause: string[];
  fix: string[];
}

export interface ReasonsRoutes {
  'GET /reasons': {
    query: Record<never, never>;
    body: undefined;
    answer: Reason[];
  };
}
