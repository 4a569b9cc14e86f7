/**
 * Planted bug: no transaction compares the epoch of the lease, and a session that comes back does not look whether others had
 * the place meanwhile. The simulation must find writes under an epoch that is over.
 */
import './sim-place-blind.ts';
import './sim-turn-blind.ts';
