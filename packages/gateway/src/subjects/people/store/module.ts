/** Users, sessions and one-time keys. */
import { type StoreOf, storeModule } from '../../../store/module.ts';
import { changePeople, oneTimeKey, oneTimeKeys, session, sessions, users } from './operations.ts';

export const peopleStore = storeModule({
  name: 'people',
  writes: { changePeople: { run: changePeople, journal: 'apart', tool: true } },
  reads: {
    users: { run: users, needs: 'nothing' },
    session: { run: session, needs: 'nothing' },
    sessions: { run: sessions, needs: 'nothing' },
    oneTimeKey: { run: oneTimeKey, needs: 'nothing' },
    oneTimeKeys: { run: oneTimeKeys, needs: 'nothing' },
  },
});

export interface PeopleStore extends StoreOf<typeof peopleStore> {}
