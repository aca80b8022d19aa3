/**
 * Tables visible to queries. server/schema/database.ts fills the interface; the platform declares only what it reads.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled where the product declares its own.
export interface Tables {}

export type Flag = 0 | 1;
