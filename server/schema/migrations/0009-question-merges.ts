import type { Database } from '#server/platform/db/engine.ts';
import { runScript } from '#server/platform/db/script.ts';

/** Similar questions of one bank: merged, or marked as different. */
export const up = (db: Database): Promise<void> =>
  runScript(
    db,
    `
    create table question_merge (
      id $id_once,
      owner_id bigint not null references staff (id),
      kept_id bigint not null, -- may have been merged or deleted since
      gone_id bigint not null unique,
      stem_text text not null, -- of the question that is gone
      gone text not null, -- JSON: rows of that question, to restore it
      effect text not null, -- JSON: changes of others, to take them back
      merged_at bigint not null
    );
    create index question_merge_kept on question_merge (kept_id);
    create index question_merge_owner on question_merge (owner_id);
    -- Pairs that their owner marked as different. one_id is the lower id.
    create table question_difference (
      one_id bigint not null references question (id) on delete cascade,
      other_id bigint not null references question (id) on delete cascade,
      owner_id bigint not null references staff (id),
      marked_at bigint not null,
      primary key (one_id, other_id)
    );
    create index question_difference_owner on question_difference (owner_id, marked_at);
    create index question_difference_other on question_difference (other_id);
    `,
  );
