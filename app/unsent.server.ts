/**
 * What a loader answers for a page that runs no script: the router would encode it for the browser, where nothing reads
 * it. Behind a symbol the encoder does not see it.
 */
const withheld = Symbol('unsent');

export const unsent = (data: unknown): object => ({ [withheld]: data });

/** What a screen is given; anything else is as it is. */
export const opened = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && withheld in value ? value[withheld] : value;
