/** Random numbers (mulberry32) that are the same for the same seed. */
export interface SeededRandom {
  /** A random number from 0 (inclusive) to 1 (exclusive). */
  next(): number;
  /** A whole number from `least` to `most`, both inclusive. */
  whole(least: number, most: number): number;
  chance(probability: number): boolean;
  pick<T>(from: readonly T[]): T;
  shuffled<T>(from: readonly T[]): T[];
}

export function seededRandom(seed: number): SeededRandom {
  let state = (seed * 0x9e3779b1) | 0;
  const next = () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const whole = (least: number, most: number) => least + Math.floor(next() * (most - least + 1));
  return {
    next,
    whole,
    chance: (probability) => next() < probability,
    pick: <T>(from: readonly T[]) => from[whole(0, from.length - 1)] as T,
    shuffled: <T>(from: readonly T[]) => {
      const items = [...from];
      for (let last = items.length - 1; last > 0; last -= 1) {
        const other = whole(0, last);
        [items[last], items[other]] = [items[other] as T, items[last] as T];
      }
      return items;
    },
  };
}
