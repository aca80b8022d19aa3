/** A request that is sent again under its key is held against what was sent the first time. */
export const requestContent = `
alter table accepted_request add column content_hash text; -- null: accepted before it was kept
`;
