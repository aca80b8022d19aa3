/** A page's title: what it shows, from the closest to the widest, and the product. */
export const titleOf = (...parts: (string | undefined)[]): string =>
  [...parts.filter((part) => part !== undefined), '教学后台'].join(' · ');

/** As a route says it. */
export const titled = (...parts: (string | undefined)[]) => [{ title: titleOf(...parts) }];
