/** How many rows of an import would write anything: the same upload again writes nothing, and is not judged once more. */
export const idleImports = `
alter table import add column writes integer not null default 0;
`;
