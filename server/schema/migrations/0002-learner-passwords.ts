import type { Database } from '#server/platform/db/engine.ts';
import { runScript } from '#server/platform/db/script.ts';

/** Passwords of learners, for schools that send no text messages. */
export const up = (db: Database): Promise<void> =>
  runScript(
    db,
    `
    create table learner_password (
      student_id bigint primary key references student (id) on delete cascade,
      password_hash text not null,
      is_first integer not null check (is_first in (0, 1)), -- 1: printed by the school, to be changed
      set_at bigint not null
    );
    alter table learner_session add column must_change_password integer not null default 0 check (must_change_password in (0, 1));
    alter table learner_session add column device_hash text not null default ''; -- empty: the application names none
    `,
  );
