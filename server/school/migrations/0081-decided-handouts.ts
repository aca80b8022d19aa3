/** The handouts of every state stand in the order in which they were decided: one page of them is read, not all. */
const of = (decided: string) => `create index session_handout_decided on session_handout (${decided}, session_id);`;

/** SQLite puts what is null last by itself, and has no word for it in an index. */
export const decidedHandouts = { sqlite: of('decided_at desc'), postgres: of('decided_at desc nulls last') };
