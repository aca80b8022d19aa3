/** What an import was made from that the product has written itself, so that its form can be taken up again. */
export const ownImports = `
alter table import add column plan text not null default ''; -- JSON of the form; empty: it was uploaded
`;
