/**
 * Planted bug: claims do not compare who has the send queue, and every node believes to have all of them. The cluster suite
 * must find two senders for one carrier.
 */
import './lane-greedy.ts';
import { plantLanes } from './plant.ts';

plantLanes();
