/**
 * Planted bug: writes do not compare who has the duty, and every node believes to have all of them. The suite of duties must
 * find writes of a node that does not have the duty.
 */
import './duty-greedy.ts';
import { plantDuties } from './plant.ts';

plantDuties();
