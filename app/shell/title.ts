/** Joins the parts of a page title, from specific to general. The product's name comes last. */
export const pageTitle = (...parts: (string | undefined)[]): string =>
  [...parts.filter((part) => part !== undefined), '教学后台'].join(' · ');

/** Returns the title in the form that a route's `meta` takes. */
export const titleMeta = (...parts: (string | undefined)[]) => [{ title: pageTitle(...parts) }];
