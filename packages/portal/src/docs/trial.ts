/** *Try it*: sends the request of a form from this browser to this gateway, and shows the unchanged answer. */
import { addCopyButtons } from './copy';
import type { Credentials } from './credentials';

/** A longer answer is cut; nobody reads it here. */
const shownChars = 20_000;
const shownHeaders = ['content-type', 'x-request-id', 'ratelimit', 'retry-after', 'x-unknown-fields', 'x-dry-run'];

export function setUpTrials(credentials: Credentials): void {
  for (const trial of document.querySelectorAll<HTMLDetailsElement>('.try')) {
    trial.hidden = false;
    const form = trial.querySelector('form')!;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void send(form, credentials);
    });
  }
}

async function send(form: HTMLFormElement, credentials: Credentials): Promise<void> {
  const output = form.querySelector<HTMLElement>('.answer')!;
  const button = form.querySelector('button')!;
  button.disabled = true;
  output.replaceChildren();
  try {
    const pair = form.dataset.credentials === 'true' ? await credentials.read() : null;
    if (form.dataset.credentials === 'true' && pair === null) {
      say(output, 'This request needs credentials: enter them at the top of the page, or sign in to the portal.');
      return;
    }
    const { url, init } = requestOf(form);
    if (pair !== null) {
      init.headers.set('Authorization', `Bearer ${pair.bearer}`);
      init.headers.set('X-Api-Key', pair.auth);
    }
    const startedMs = performance.now();
    const response = await fetch(url, { ...init, credentials: 'omit' });
    const text = await readable(response);
    showAnswer(output, response, text, Math.round(performance.now() - startedMs));
  } catch (error) {
    say(output, error instanceof TypeError ? `The request was not sent: ${error.message}` : (error as Error).message);
  } finally {
    button.disabled = false;
  }
}

/** Empty fields are left out. */
export function requestOf(form: HTMLFormElement): {
  url: string;
  init: { method: string; headers: Headers; body?: BodyInit };
} {
  const headers = new Headers();
  const query = new URLSearchParams();
  let path = form.dataset.path ?? '';
  let body: BodyInit | undefined;
  for (const field of form.querySelectorAll<HTMLInputElement>('[data-in]')) {
    const { value, name } = field;
    const kind = field.dataset.in;
    const file = kind === 'file' ? field.files?.[0] : undefined;
    if (file !== undefined) {
      headers.set('Content-Type', file.type || 'application/octet-stream');
      body = file;
    } else if (kind === 'body') {
      headers.set('Content-Type', field.dataset.type ?? '');
      body = value;
    } else if (kind === 'path') path = path.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '' && kind === 'query') query.set(name, value);
    else if (value !== '' && kind === 'header') headers.set(name, value);
  }
  const url = query.size === 0 ? path : `${path}?${query}`;
  return { url, init: { method: form.dataset.method ?? 'GET', headers, ...(body !== undefined && { body }) } };
}

async function readable(response: Response): Promise<string> {
  const type = response.headers.get('content-type') ?? '';
  if (!/json|text|csv/.test(type)) return `${(await response.blob()).size} bytes`;
  const text = await response.text();
  return text.length > shownChars ? `${text.slice(0, shownChars)}\n… and ${text.length - shownChars} more` : text;
}

function showAnswer(output: HTMLElement, response: Response, text: string, tookMs: number): void {
  const headers = shownHeaders.filter((name) => response.headers.has(name));
  const lines = headers.map((name) => `${name}: ${response.headers.get(name)}`);
  const box = document.createElement('div');
  box.className = 'code';
  const head = document.createElement('p');
  head.className = response.ok ? 'code-head ok' : 'code-head bad';
  head.textContent = `HTTP ${`${response.status} ${response.statusText}`.trim()} · ${tookMs} ms`;
  const shown = document.createElement('pre');
  shown.tabIndex = 0;
  const about = document.createElement('span');
  about.className = 'headers';
  about.textContent = `${lines.join('\n')}\n\n`;
  const code = document.createElement('code');
  code.textContent = text;
  shown.append(about, code);
  box.append(head, shown);
  output.append(box);
  addCopyButtons(undefined, output);
}

function say(output: HTMLElement, sentence: string): void {
  const line = document.createElement('p');
  line.textContent = sentence;
  output.append(line);
}
