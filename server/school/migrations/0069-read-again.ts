/**
 * By what a file was read, so that the same file again need not be; what stays as it is is looked for by nobody, so its
 * rows stand in no index of their own.
 */
export const readAgain = `
alter table import add column read_as text not null default ''; -- '': it was no file
create index import_of_content on import (source_id, content_hash);
drop index import_row_verdict;
create index import_row_verdict on import_row (import_id, verdict, id) where verdict not in ('', 'unchanged');
`;
