/** Terms stand in the order that people give them, as the entries of all catalogues. */
export const termsInOrder = `
alter table term add column sort integer not null default 0;
`;
