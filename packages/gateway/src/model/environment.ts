/** Every record is one or the other; a sandbox key sees only sandbox records and reaches only the simulator. */
export type Environment = 'sandbox' | 'live';
