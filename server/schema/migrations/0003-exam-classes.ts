import type { Database } from '#server/platform/db/engine.ts';
import { runScript } from '#server/platform/db/script.ts';

/** Exams given to classes instead of whole schools. */
export const up = (db: Database): Promise<void> =>
  runScript(
    db,
    `
    alter table exam add column by_class integer not null default 0 check (by_class in (0, 1)); -- 0: given to whole schools
    create table exam_class (
      exam_id bigint not null references exam (id),
      class_id bigint not null references class (id),
      removed_at bigint, -- null: given to the class
      primary key (exam_id, class_id)
    );
    create index exam_class_class on exam_class (class_id, exam_id);
    `,
  );
