/**
 * Planted bug: no transaction compares the epoch of the lease, and neither a renewal nor a session that comes back looks whether
 * others had the place meanwhile. The simulation must find writes under an epoch that is over.
 */
import './sim-place-blind.ts';
import './sim-turn-blind.ts';
