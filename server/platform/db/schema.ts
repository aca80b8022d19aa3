/**
 * Tables that queries know. server/schema/database.ts fills the interface; this file declares only what the platform
 * reads.
 */
// biome-ignore lint/suspicious/noEmptyInterface: it is filled where the product declares its own.
export interface Tables {}

export type Flag = 0 | 1;
