/** Downloads: created here, or fetched with the session. */
import { api } from '../api/client';

export function saveText(name: string, text: string, type = 'text/plain;charset=utf-8'): void {
  saveBlob(name, new Blob([text], { type }));
}

/** The answer of a route of the portal API, saved under this name. Throws `ApiError` like every call. */
export async function saveAnswer(name: string, path: string): Promise<void> {
  saveBlob(name, await api.blob(path));
}

function saveBlob(name: string, blob: Blob): void {
  const address = URL.createObjectURL(blob);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Freed later, when the browser has read it.
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

/** The same for a file that may be too large for a page: the browser itself downloads it. */
export function openAnswer(name: string, path: string): void {
  const link = document.createElement('a');
  link.href = api.url(path);
  link.download = name;
  link.click();
}
