/**
 * When a student is erased, the history keeps who did what and when, but the recorded values are emptied
 * (`eraseHistory`). This includes rows about deleted records: comments, and exports with the student's name.
 */
import type { Expression } from 'kysely';
import type { Database } from '#server/platform/db/engine.ts';
import { eraseHistory } from '#server/platform/db/history.ts';
import { containsAnyText, type Person, type PersonalTable } from '#server/platform/db/privacy.ts';
import type { HistoryRecord } from './rules.ts';
import { recordsOfStudents } from './student-records.ts';

const rows = (db: Database, { id, texts }: Person) => {
  const of = (...records: HistoryRecord[]) =>
    db.selectFrom('history').select('history.id').where('history.record', 'in', records);
  // The author of a deleted comment, and the learner of a link that ended, are only known from the history row.
  const deleted = of('community_comment', 'community_post', 'learner_link').where((eb) =>
    eb.or(
      [`%"student_id":${id},%`, `%"student_id":${id}}%`].flatMap((written) => [
        eb('history.before', 'like', written),
        eb('history.after', 'like', written),
      ]),
    ),
  );
  const exported = of('export_file').where(containsAnyText('history.after', texts));
  // A union of queries that each use an index; with one combined condition PostgreSQL scans the whole history.
  const about = recordsOfStudents(db, [id]).reduce(
    (found, [record, ids]) =>
      found.unionAll(of(record).where('history.record_id', 'in', ids as Expression<unknown> as Expression<number>)),
    deleted.unionAll(exported),
  );
  return db.selectFrom('history').where('history.id', 'in', about);
};

export const personalHistory: readonly PersonalTable[] = [
  {
    table: 'history',
    becomes: 'emptied',
    rows,
    async erase(db, who) {
      const written = await rows(db, who)
        .select('history.id')
        .where((eb) => eb.or([eb('history.before', 'is not', null), eb('history.after', 'is not', null)]))
        .where('history.action', '!=', 'erase')
        .orderBy('history.id')
        .execute();
      await eraseHistory(
        db,
        written.map(({ id }) => id),
        { ...who, studentId: who.id },
      );
      return [];
    },
  },
];
