/**
 * The two credentials that the reference shows and sends: those that a person types, else the sandbox's, if the
 * signed-in person may see them. Read when needed, as on the start page, and kept only while the page is open.
 */
export interface Pair {
  bearer: string;
  auth: string;
}

export interface Credentials {
  /** Null when there are none. Throws an error with a sentence when the gateway refuses. */
  read(): Promise<Pair | null>;
  /** The code with the credentials in it, or unchanged when there are none. */
  filled(code: HTMLElement): Promise<string>;
}

const portal = '/api/portal/v1';
const masks: Readonly<Record<string, string>> = { bearer: 'bt_sbx_••••', auth: 'at_sbx_••••' };
const labels = {
  signedOut: 'Enter a pair, or sign in to the portal to fill in that of the sandbox. It stays on this page.',
  sandbox: 'The pair of the sandbox is filled in. It reaches simulated handsets only. Enter another one to use that.',
  confirm: 'The gateway wants your password again: open Home, press “Reveal credentials”, and come back.',
  refused: 'The gateway did not give the pair of the sandbox.',
};

export function setUpCredentials(panel: HTMLFormElement): Credentials {
  const field = (name: string) => panel.querySelector<HTMLInputElement>(`[name=${name}]`)!;
  const fields = { bearer: field('bearer'), auth: field('auth') };
  const status = panel.querySelector<HTMLElement>('[role=status]')!;
  const reveal = panel.querySelector('button')!;
  const signIn = panel.querySelector('a')!;
  let hasSandbox = false;
  let sandbox: Promise<Pair> | null = null;
  let revealed = false;

  panel.hidden = false;
  status.textContent = labels.signedOut;
  panel.addEventListener('submit', (event) => event.preventDefault());

  const signedIn = maySeePair().then((may) => {
    hasSandbox = may;
    signIn.hidden = may;
    if (!may) return;
    status.textContent = labels.sandbox;
    fields.bearer.placeholder = masks.bearer!;
    fields.auth.placeholder = masks.auth!;
    show(masks);
    reveal.hidden = false;
  });

  async function read(): Promise<Pair | null> {
    await signedIn;
    const typed = { bearer: fields.bearer.value.trim(), auth: fields.auth.value.trim() };
    if (typed.bearer !== '' || typed.auth !== '') return typed;
    if (!hasSandbox) return null;
    sandbox ??= readPair();
    try {
      return await sandbox;
    } catch (error) {
      sandbox = null;
      status.textContent = (error as Error).message;
      throw error;
    }
  }

  reveal.addEventListener('click', async () => {
    revealed = !revealed;
    try {
      sandbox ??= readPair();
      show(revealed ? { ...(await sandbox) } : masks);
      reveal.textContent = revealed ? 'Hide' : 'Reveal';
    } catch (error) {
      sandbox = null;
      revealed = false;
      status.textContent = (error as Error).message;
    }
  });

  return {
    read,
    filled: async (code) => {
      if (code.querySelector('[data-token]') === null) return code.textContent ?? '';
      const pair = await read();
      if (pair === null) return code.textContent ?? '';
      const copy = code.cloneNode(true) as HTMLElement;
      show({ ...pair }, copy);
      return copy.textContent ?? '';
    },
  };
}

function show(tokens: Readonly<Record<string, string>> | Pair, within: ParentNode = document): void {
  const byName = tokens as Readonly<Record<string, string>>;
  for (const element of within.querySelectorAll<HTMLElement>('[data-token]')) {
    const token = byName[element.dataset.token ?? ''];
    if (token) element.textContent = token;
  }
}

interface Answer<T> {
  success?: boolean;
  reason?: string;
  data?: T;
}

async function ask<T>(path: string): Promise<Answer<T>> {
  const response = await fetch(portal + path, { headers: { 'x-helio-environment': 'sandbox' } });
  return (await response.json().catch(() => ({}))) as Answer<T>;
}

async function maySeePair(): Promise<boolean> {
  const { success, data } = await ask<{ pair: boolean }>('/home').catch(() => ({ success: false, data: undefined }));
  return success === true && data?.pair === true;
}

async function readPair(): Promise<Pair> {
  const { success, reason, data } = await ask<{ bearerToken: string; authToken: string }>('/home/pair');
  if (success === true && data !== undefined) return { bearer: data.bearerToken, auth: data.authToken };
  throw new Error(reason === 'RECENT_SIGN_IN_NEEDED' ? labels.confirm : labels.refused);
}
