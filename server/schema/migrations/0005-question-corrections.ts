import type { Database } from '#server/platform/db/engine.ts';
import { runScript } from '#server/platform/db/script.ts';

/** Imports of questions that are corrected in their preview, beside the lines of the paper. */
export const up = (db: Database): Promise<void> =>
  runScript(
    db,
    `
    alter table question_import add column format text not null default '';
    alter table question_import add column left_out text not null default '[]'; -- JSON: [{where, message}], text in no question
    alter table question_import add column doubts text not null default '[]'; -- JSON: the same, about the file
    alter table question_import add column corrections integer not null default 0; -- counts corrections; those taken back too
    alter table question_import_row add column state integer not null default 1 check (state in (1, 2)); -- 1: to be imported. 2: left out
    alter table question_import_row add column version integer not null default 1;
    alter table question_import_row add column score integer; -- tenths of a point; null: none
    alter table question_import_row add column part_scores text not null default '[]'; -- JSON: tenths by part of a material question; null: none
    alter table question_import_row add column number text not null default ''; -- as the paper prints it
    alter table question_import_row add column section text not null default ''; -- heading or sheet that the question stands under
    alter table question_import_row add column line_from integer; -- lines of the paper; null: the file has none
    alter table question_import_row add column line_to integer;
    alter table question_import_row add column doubts text not null default '[]'; -- JSON: [{where, message}]
    alter table question_import_row add column doubt_count integer not null default 0;
    alter table question_import_row add column lacks_answer integer not null default 0 check (lacks_answer in (0, 1));
    alter table question_import_row add column original text; -- JSON: the question as read; null: never corrected
    alter table question_import_row add column bank_id bigint; -- a question of the bank like this one; it may have been deleted
    alter table question_import_row add column bank_match integer not null default 0 check (bank_match in (0, 1, 2)); -- 1: equal. 2: nearly equal
    alter table question_import_row add column replaces integer not null default 0 check (replaces in (0, 1)); -- 1: becomes the new version of bank_id
    create table question_import_line (
      import_id text not null references question_import (id) on delete cascade,
      line integer not null,
      content text not null, -- JSON: a Line, its pictures by their address
      primary key (import_id, line)
    );
    create table question_import_change (
      import_id text not null references question_import (id) on delete cascade,
      number integer not null,
      said text not null, -- what was corrected, in words
      undo text not null, -- JSON: {rows, added}
      offer text, -- JSON: the same correction for the rest of the section; null: none
      primary key (import_id, number)
    );
    `,
  );
