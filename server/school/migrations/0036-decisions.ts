/** What waits for a decision of the school, who decided it and when; and the history in the orders that it is read in. */
export const decisions = `
alter table session_handout add column decided_by integer references staff (id);
alter table session_handout add column decided_at $time;
create index session_handout_waiting on session_handout (uploaded_at, session_id) where status = 3;

-- outcome: 1 the post was deleted, 2 dismissed; null with decided_at: it waits.
alter table community_report add column decided_by integer references staff (id);
alter table community_report add column decided_at $time;
alter table community_report add column outcome integer check (outcome in (1, 2));
create index community_report_waiting on community_report (post_id) where decided_at is null;

-- What came of a report, which is append-only itself. outcome: 1 the question was corrected, 2 answered, 3 dismissed.
create table question_correction_reply (
  correction_id integer primary key references question_correction (id),
  outcome integer not null check (outcome in (1, 2, 3)),
  reply text not null default '',
  staff_id integer not null references staff (id),
  at $time not null
) $strict;
create index question_correction_staff on question_correction (staff_id, question_id);

create index history_at on history (at, id);
create index history_staff on history (staff_id, at, id);
create index history_action on history (record, action, at, id);
`;
