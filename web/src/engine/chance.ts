/** Seeds: all chance of a game follows from one. */

/** Return a seed that nobody can guess, which JSON in any language reads without loss. */
export function freshSeed(): bigint {
  const words = crypto.getRandomValues(new Uint32Array(2));
  return (BigInt(words[0] & 0x1fffff) << 32n) | BigInt(words[1]);
}
