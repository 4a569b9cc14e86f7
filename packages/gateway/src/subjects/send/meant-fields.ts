/**
 * Unknown fields of `POST /SendSMS` that look like settings: misspellings of ours, and other providers' names.
 * Ignoring one would send something else than intended, so they are refused.
 */

const asUrls = 'Send mediaUrls, an array of URLs.';
const noSchedule = 'Messages are sent at once: leave it out and send the request when it is time.';
const asValidity = 'Send validityMinutes, a whole number of minutes.';
const asKey = 'Send it as the header Idempotency-Key.';

/** By name in lower case, without `_` and `-`: what to do instead. */
const others = new Map<string, string>(
  Object.entries({
    [asUrls]: 'media mediaurl medialist attachment attachments attachmenturl attachmenturls imageurl imageurls',
    [noSchedule]:
      'sendat sendlater senddate sendtime sendon sendafter schedule scheduled scheduleat scheduledat scheduletime scheduledtime scheduledate scheduleddate scheduledfor deliverat deliverytime notbefore',
    [asValidity]:
      'validity validityperiod validitytime validityseconds validityhours validuntil ttl expiresat expiresin',
    [asKey]: 'idempotencykey',
    'Send it as the query parameter dryRun=true.': 'dryrun',
    'Send referenceId.': 'reference',
  }).flatMap(([fix, names]) => names.split(' ').map((name): [string, string] => [name, fix])),
);

/** What to do instead of sending a field of this name; null when it may be ignored. `known`: our own names. */
export function meantInstead(name: string, known: ReadonlySet<string>): string | null {
  const plain = plainName(name);
  const fix = others.get(plain);
  if (fix !== undefined) return fix;
  for (const own of known) if (plainName(own) === plain) return `Write it ${own}.`;
  return null;
}

function plainName(name: string): string {
  return name.toLowerCase().replace(/[_-]/g, '');
}
