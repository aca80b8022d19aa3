/** What happened to learners, for applications that follow it; and where they are told of it, through the outbox of text messages. */
const both = (id: string) => `
create table learner_event (
  id ${id},
  at $time not null,
  kind text not null, -- homework.published, report.graded, leave.decided, notice.posted, exam.published
  student_id integer not null, -- no reference: it is told of whoever is gone since, too
  school_id integer not null, -- of the student, then
  record_id integer not null,
  details text not null -- JSON
) $strict;
create index learner_event_at on learner_event (at);
create index learner_event_school on learner_event (school_id, id);
create index learner_event_student on learner_event (student_id);

-- Where an application is told, one address of each token.
create table webhook (
  token_id integer primary key references service_token (id),
  url text not null,
  secret text not null, -- by which what is sent is signed
  events text not null, -- JSON list of kinds
  created_at $time not null,
  ended_at $time
) $strict;

alter table sms_outbox add column webhook_id integer references webhook (token_id); -- null: a text message
alter table sms_outbox add column lane text not null default ''; -- what has the same lane is sent one after the other
create index sms_outbox_lane on sms_outbox (lane, id) where delivered_at is null and lane <> '';
`;

export const webhooks = {
  sqlite: both('integer primary key autoincrement'),
  postgres: both('$id'),
};
