/** A door sends each message to the cell of its account twice. */
import { plantForwardTwice } from './plant.ts';

plantForwardTwice();
