/** What happened, line by line: a sum of all lines shows whether two runs were the same, and a replay prints them. */
export class Trace {
  readonly #prints: boolean;
  #sum = 0x811c9dc5;
  lines = 0;

  constructor(prints = false) {
    this.#prints = prints;
  }

  say(atMs: number, who: string, what: string): void {
    const line = `${atMs.toFixed(3).padStart(11)} ${who.padEnd(9)} ${what}`;
    for (let at = 0; at < line.length; at += 1) this.#sum = Math.imul(this.#sum ^ line.charCodeAt(at), 0x01000193);
    this.lines += 1;
    if (this.#prints) console.log(line);
  }

  get sum(): string {
    return (this.#sum >>> 0).toString(16).padStart(8, '0');
  }
}
