/** Input of a whole number. An invalid one is sent as typed: the gateway says what is allowed. */
export function wholeOrText(text: string): number | string {
  return /^\d+$/.test(text.trim()) ? Number(text) : text;
}
