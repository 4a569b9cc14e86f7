/** Text as HTML. */

export function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}

/** A description from the OpenAPI document: of Markdown it uses only code and links. */
export function prose(text: string): string {
  return escaped(text)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\[([^\]]+)\]\((https?:\/\/[^)\s]+|\/[^)\s]*)\)/g, '<a href="$2">$1</a>');
}

/** The same markup as on the documentation's pages; the script adds the copy button. */
export function codeBox(html: string, head: string, attributes = ''): string {
  return `<div class="code"${attributes}><p class="code-head">${escaped(head)}</p><pre tabindex="0"><code>${html}</code></pre></div>`;
}
