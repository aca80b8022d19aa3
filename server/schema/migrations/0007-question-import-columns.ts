import type { Database } from '#server/platform/db/engine.ts';
import { runScript } from '#server/platform/db/script.ts';

/** Spreadsheets of questions are kept until their import ends, to read them again with other columns. */
export const up = (db: Database): Promise<void> =>
  runScript(
    db,
    `
    alter table question_import add column file_key text not null default ''; -- storage key of the spreadsheet; '': of another file
    alter table question_import add column sheets text not null default '[]'; -- JSON: SheetColumns[]
    alter table question_import_row add column point text not null default ''; -- knowledge point as the draft has it
    `,
  );
