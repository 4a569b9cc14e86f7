/** A cell tells another one that it has stored a receipt, and has not. */
import { plantStore, withMethods } from './plant.ts';

plantStore((store) => withMethods(store, { lookUpReceipts: async (receipts) => receipts.map(() => 'known' as const) }));
