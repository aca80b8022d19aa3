/** Comments that a grader keeps at hand, each at a key. */
export const pinnedComments = `
create table pinned_comment (
  staff_id integer not null references staff (id) on delete cascade,
  key text not null,
  comment text not null,
  primary key (staff_id, key)
);
`;
