/** What is done behind the requests, again and again: whichever process finds it due holds it for a while. */
export const backgroundJobs = `
create table background_job (
  kind text primary key,
  due_at $time not null,
  holder text not null default '', -- the process that is doing it; empty: nobody
  held_until $time not null default 0, -- whoever has not asked anew by then has ended
  started_at $time,
  done_at $time, -- the last time that it was done
  tries integer not null default 0, -- that failed since then
  last_error text not null default ''
) $strict;
`;
