/** The hosts of a request's media URLs. Fetching is limited per host, so a slow host delays only its own media. */

/** Length of a host group's name. */
const groupCharactersMax = 500;

/**
 * Each host once, in lower case, with its port if the URL names one; sorted. An unreadable URL counts as its own host.
 */
export function mediaHosts(urls: readonly string[]): string[] {
  return [...new Set(urls.map((url) => URL.parse(url)?.host || url))].sort();
}

/** One name for all hosts of a request: requests with the same hosts share a queue. */
export function hostGroup(urls: readonly string[]): string {
  return mediaHosts(urls).join(' ').slice(0, groupCharactersMax).toWellFormed();
}
