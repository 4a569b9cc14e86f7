/** A copy button on each block of code. Without clipboard access (plain http from another machine) there is none. */
const shownMs = 2_000;

/** The text to copy, if it differs from the shown one: a masked credential is copied completely. */
export type Copied = (code: HTMLElement) => Promise<string>;

export function addCopyButtons(
  copied: Copied = async (code) => code.textContent ?? '',
  within: ParentNode = document,
): void {
  if (navigator.clipboard === undefined) return;
  for (const box of within.querySelectorAll<HTMLElement>('.code')) {
    const code = box.querySelector<HTMLElement>('code');
    if (code === null) continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.className = 'copy';
    button.textContent = 'Copy';
    button.setAttribute('aria-live', 'polite');
    button.addEventListener('click', () => void copy(button, () => copied(code)));
    box.append(button);
  }
}

async function copy(button: HTMLButtonElement, text: () => Promise<string>): Promise<void> {
  try {
    await navigator.clipboard.writeText(await text());
    button.textContent = 'Copied';
  } catch {
    button.textContent = 'Not copied';
  }
  setTimeout(() => {
    button.textContent = 'Copy';
  }, shownMs);
}
