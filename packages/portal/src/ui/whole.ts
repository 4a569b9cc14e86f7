/** What was typed where a whole number is asked for. What is none goes as it was written: the gateway says what is allowed. */
export function wholeOrText(text: string): number | string {
  return /^\d+$/.test(text.trim()) ? Number(text) : text;
}
