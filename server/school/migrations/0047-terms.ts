/** School years and terms, and in which of them classes are taught. */
export const terms = `
create table term (
  id $id,
  name text not null,
  type text not null check (type in ('schoolYear', 'semester', 'term', 'gradingPeriod')),
  first_day text not null default '', -- yyyy-mm-dd; '' where nobody said
  last_day text not null default '',
  parent_id integer references term (id),
  put_away_at $time
) $strict;
create index term_parent on term (parent_id);

create table class_term (
  class_id integer not null references class (id) on delete cascade,
  term_id integer not null references term (id),
  primary key (class_id, term_id)
) $strict;
create index class_term_term on class_term (term_id);
`;
