/** Joins the parts of a page title, from specific to general, with the product's name. */
export const pageTitle = (...parts: (string | undefined)[]): string =>
  [...parts.filter((part) => part !== undefined), '教学后台'].join(' · ');

/** The title as a route's `meta`. */
export const titleMeta = (...parts: (string | undefined)[]) => [{ title: pageTitle(...parts) }];
