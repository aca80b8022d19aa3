/** Somebody who has signed in goes to a provider to link who they are there. */
export const ownIdentities = `
-- Whose identity it is to become; null: they sign in by it.
alter table identity_attempt add column staff_id integer references staff (id);
`;
