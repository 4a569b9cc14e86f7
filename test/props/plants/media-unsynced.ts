/**
 * Planted bug: files of the media store are not synced before the message that needs them is committed. The power
 * suites must find messages whose media are gone. Nothing is lost while the machine runs.
 */
import { open } from 'node:fs/promises';

const file = await open(import.meta.filename);
const handles = Object.getPrototypeOf(file) as { sync(): Promise<void> };
await file.close();
handles.sync = () => Promise.resolve();
