/** Sandbox or live. A sandbox key sees only sandbox records and reaches only the simulator. */
export type Environment = 'sandbox' | 'live';
