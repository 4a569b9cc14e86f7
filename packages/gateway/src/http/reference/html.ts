/** Text as HTML. */

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** A description of the OpenAPI document: Markdown of which it uses code and links. */
export function prose(text: string): string {
  return escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\[([^\]]+)\]\((https?:\/\/[^)\s]+|\/[^)\s]*)\)/g, '<a href="$2">$1</a>');
}

/** As the pages of the documentation have it; the script adds the button that copies. */
export function codeBox(html: string, head: string, attributes = ''): string {
  return `<div class="code"${attributes}><p class="code-head">${escaped(head)}</p><pre tabindex="0"><code>${html}</code></pre></div>`;
}
