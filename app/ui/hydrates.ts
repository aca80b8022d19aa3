/** What a route may say in its `handle` to every page that it is part of. */
export interface PageHandle {
  /** The page loads client JS. */
  hydrate?: boolean;
}

/** Whether a page of these routes loads client JS: none does unless one of its screens needs it. */
export const hydrates = (routes: readonly { handle?: unknown }[]): boolean =>
  routes.some(({ handle }) => (handle as PageHandle | undefined)?.hydrate === true);
