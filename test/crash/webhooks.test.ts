/** The short form of W-02 and W-08, for every day. */
import { everyday } from './rounds.ts';
import { webhookSuite } from './webhooks.suite.ts';

webhookSuite('SQLite', { kills: 5, plantedKills: 2, how: everyday });
