import type { Database } from '#server/platform/db/engine.ts';
import { runScript } from '#server/platform/db/script.ts';

/** Tags by which the owner of questions sorts them. */
export const up = (db: Database): Promise<void> =>
  runScript(
    db,
    `
    create table question_tag (
      question_id bigint not null references question (id) on delete cascade,
      owner_id bigint not null references staff (id), -- of the question, for the index
      folded text not null, -- the name without case, width and invisible characters
      name text not null, -- as typed
      sort integer not null,
      primary key (question_id, folded)
    );
    create index question_tag_owner on question_tag (owner_id, folded, name, question_id);
    `,
  );
