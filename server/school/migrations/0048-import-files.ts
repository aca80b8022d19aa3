/** What was uploaded is kept as it came, so that the rows which cannot be imported go back in its shape. */
export const importFiles = `
alter table import add column file_key text not null default ''; -- '' where none is kept
`;
