/** A page's title: what it shows, from the closest to the widest, and the product. */
export const titled = (...parts: (string | undefined)[]) => [
  { title: [...parts.filter((part) => part !== undefined), '教学后台'].join(' · ') },
];
