/**
 * Wraps a store and re-seals secrets of earlier versions for their record whenever that record is written. A secret
 * that does not open stays unchanged.
 */
import { withCarrierSecrets } from '../carriers/settings.ts';
import type { SealedPlace } from '../kernel/sealed-place.ts';
import { isBound, opened, type Sealer } from '../kernel/sealing.ts';
import type { RecordChanges } from '../messaging/store/records-items.ts';
import { withEndpointSecrets, withUserSecrets } from '../model/sealed-records.ts';
import type { PeopleChange } from '../subjects/people/store/items.ts';
import type { Store } from './store.ts';

type Writes = Pick<Store, 'putRecords' | 'editRecords' | 'changePeople'>;

export function bindSecrets<T extends Writes>(store: T, sealer: Sealer): T {
  const bound = (sealed: string, place: SealedPlace): string => {
    const text = isBound(sealed) ? null : opened(sealer, sealed, place);
    return text === null ? sealed : sealer.seal(text, place);
  };
  const boundRecords = <R extends Partial<RecordChanges>>(put: R): R => ({
    ...put,
    ...(put.carriers && { carriers: put.carriers.map((carrier) => withCarrierSecrets(carrier, bound)) }),
    ...(put.endpoints && { endpoints: put.endpoints.map((endpoint) => withEndpointSecrets(endpoint, bound)) }),
  });
  const boundPeople = (change: PeopleChange): PeopleChange => ({
    ...change,
    writes: change.writes.map((one) =>
      one.write === 'user' ? { ...one, user: withUserSecrets(one.user, bound) } : one,
    ),
  });
  return {
    ...store,
    putRecords: (changes) => store.putRecords(boundRecords(changes)),
    editRecords: (edit) => store.editRecords({ ...edit, put: boundRecords(edit.put) }),
    changePeople: (changes) => store.changePeople(changes.map(boundPeople)),
  } satisfies T;
}
