/** Finds the name that the user probably meant, for "did you mean" in errors. Pure. */

const distanceMax = 3;
const charactersMax = 64;

/**
 * The closest of `names` to `given` (any case), or null when none is close enough: at most `slipsMax` letters differ.
 */
export function nearest(given: string, names: readonly string[], slipsMax = distanceMax): string | null {
  if (given.length > charactersMax) return null;
  const wanted = given.toLowerCase();
  let best: string | null = null;
  let bestDistance = Math.min(slipsMax, Math.ceil(given.length / 2)) + 1;
  for (const name of names) {
    const distance = editDistance(wanted, name.toLowerCase());
    if (distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** Insertions, deletions and replacements that turn `a` into `b`. */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1));
    }
    row = next;
  }
  return row[b.length]!;
}
