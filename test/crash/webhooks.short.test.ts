/** The short form of W-02 and W-08. */
import { shortForm } from './rounds.ts';
import { webhookSuite } from './webhooks.suite.ts';

webhookSuite('SQLite', { kills: 5, plantedKills: 2, how: shortForm });
