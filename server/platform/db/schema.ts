/** The tables that queries see. The product declares them (server/schema/database.ts); the machinery reads some of them. */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled where the product declares its own.
export interface Tables {}

export type Flag = 0 | 1;
