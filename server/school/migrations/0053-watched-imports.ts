/**
 * Files that lay in the watched folder; what each column of a single list was taken for, and what a person has said of
 * those of a source.
 */
export const watchedImports = `
alter table import add column found integer not null default 0; -- 1: it lay in the watched folder
alter table import add column list text not null default ''; -- JSON: of a single list, its heads, first rows and columns
alter table import_source add column mapping text not null default ''; -- JSON: which head is which column
create index import_waiting on import (id) where state in ('uploaded', 'held');
`;
