import { type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely';
import type { Tables } from '#server/platform/db/schema.ts';
import { containsText, nameContains } from '#server/platform/db/search.ts';
import { findPinyinMatch, pinyinLetters } from '#server/platform/text/pinyin.ts';

/**
 * Builds the condition that finds students by name, pinyin, number, or mobile number of the student or a contact. SQL
 * cannot match pinyin, so SQL selects the names with these letters, and code then checks them.
 */
export async function studentMatches(
  students: SelectQueryBuilder<Tables, 'student', object>,
  text: string,
): Promise<RawBuilder<SqlBool>> {
  const ways = [nameContains('student.nickname', text), containsText('student.number', text)];
  if (/^\d{3,11}$/.test(text)) {
    ways.push(
      sql<SqlBool>`student.mobile like ${`%${text}%`}`,
      sql<SqlBool>`student.guardian_mobile like ${`%${text}%`}`,
    );
  }
  const letters = pinyinLetters(text);
  if (letters) {
    const likely = await students
      .select(['student.id', 'student.pinyin'])
      .where(sql<SqlBool>`student.pinyin like ${`%${[...letters].join('%')}%`}`)
      .execute();
    const spelled = likely.flatMap(({ id, pinyin }) => (findPinyinMatch(pinyin, letters) ? [sql.lit(id)] : []));
    if (spelled.length > 0) ways.push(sql<SqlBool>`student.id in (${sql.join(spelled)})`);
  }
  return sql<SqlBool>`(${sql.join(ways, sql` or `)})`;
}
