/** A short name for a long text. */
import { hash } from 'node:crypto';

/** SHA-256, lower-case hex. */
export const sha256 = (text: string): string => hash('sha256', text, 'hex');
