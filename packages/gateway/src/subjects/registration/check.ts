/** The result of one rule on a checks page. */
export interface Check {
  /** Stable, for programs: `samples.count`. */
  rule: string;
  ok: boolean;
  /** The requirement, or what is missing and how to correct it. */
  sentence: string;
  /** The form field to correct; '' = none in particular. */
  field: string;
}

export function check(rule: string, field: string, ok: boolean, met: string, missing: string): Check {
  return { rule, field, ok, sentence: ok ? met : missing };
}

/** Characters as people count them: code points. */
export function lengthOf(text: string): number {
  return [...text.trim()].length;
}

export function lengthCheck(rule: string, field: string, what: string, text: string, min: number, max: number): Check {
  const length = lengthOf(text);
  const allowed = `${min} to ${max.toLocaleString('en-US')}`;
  const met = `${what} has ${allowed} characters.`;
  const missing =
    length === 0
      ? `${what} is missing. Write ${allowed} characters.`
      : `${what} has ${length.toLocaleString('en-US')} characters; ${allowed} are allowed.`;
  return check(rule, field, length >= min && length <= max, met, missing);
}

/** The http or https address of a page on the public web. */
export function isPageUrl(text: string): boolean {
  const url = URL.parse(text);
  return (
    url !== null && /^https?:$/.test(url.protocol) && /^[^.]+(\.[^.]+)+$/.test(url.hostname) && url.username === ''
  );
}
