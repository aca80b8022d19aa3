import { sql } from 'kysely';
import { recountExam } from '#server/exams/recount.ts';
import { recountHomework } from '#server/homework/assign.ts';
import { issueClient } from '#server/oneroster/clients.ts';
import { hashPassword } from '#server/platform/auth/password.ts';
import { issueServiceToken } from '#server/platform/auth/service-token.ts';
import type { Database, OpenDatabase } from '#server/platform/db/engine.ts';
import { resetSequences } from '#server/platform/db/migrate.ts';
import type { Storage } from '#server/platform/files/storage.ts';
import { defaultSettings } from '#server/school/settings.ts';
import { addAdministration } from './administration.ts';
import { addAnswerImages, addReviewAttachments, storeAnswerImages } from './answer-images.ts';
import { addAvatars, storeAvatars } from './avatars.ts';
import { addClassMaterials, finishClasses, storeClassPictures } from './classes.ts';
import { addCommunity, storeCommunityPictures } from './community.ts';
import { addCourseware, storeDemoFiles } from './courseware.ts';
import { addImports } from './imports.ts';
import { growSchool, largeSchool, type Quantities, type SchoolSize } from './large-school.ts';
import { addMeetings } from './meetings.ts';
import { addNotices } from './notices.ts';
import { hashDemoPasswords } from './people.ts';
import { numberedTables, RowWriter } from './row-writer.ts';
import { planSmallSchool } from './small-school.ts';

export type DemoSize = 'small' | 'large';
export { largeSchool };

/** How much content the small demo school has. */
const fewOfEach: Quantities = { posts: [4, 9], notices: [2, 4], classWares: 4, uploads: 0, lessonDays: 8 };

interface FillOptions {
  size: DemoSize | SchoolSize;
  now: number;
  storage?: Storage | undefined;
  report?: (progress: string) => void;
}

/**
 * Fills an empty, migrated database in one transaction. Returns false if it has staff already, for instance because
 * another server has just filled it. `size`: a name, or custom sizes; a large school contains the small one. `now`:
 * unix seconds. Without a storage there are no courseware and no pictures.
 */
export async function fillDemoSchool(
  database: OpenDatabase,
  { size, now, storage, report = () => {} }: FillOptions,
): Promise<boolean> {
  const hashing = hashDemoPasswords(hashPassword);
  const [hashes, stored, photographs, pictures, avatars, classPictures] = await Promise.all([
    hashing,
    storage ? storeDemoFiles(storage) : [],
    storage ? storeAnswerImages(storage) : [],
    storage ? storeCommunityPictures(storage) : [],
    storage ? storeAvatars(storage) : [],
    storage ? storeClassPictures(storage) : { schedules: [], covers: [] },
  ]);
  const { timezone } = defaultSettings;
  const measures = size === 'small' ? undefined : size === 'large' ? largeSchool : size;
  const { posts, notices, classWares, uploads, lessonDays } = measures ?? fewOfEach;
  const filled = await database.db.transaction().execute(async (db) => {
    if (await hasStaff(db, database)) return false;
    const writer = new RowWriter(db, database.engine);
    const small = planSmallSchool(writer, { now, timezone, hashes });
    await writer.flush();
    if (measures) await growSchool(db, writer, small, { measures, now, timezone, hashes, report });
    if (stored.length > 0) await addCourseware(db, writer, { stored, uploads, lessonDays, now });
    await writer.flush();
    await addAvatars(db, avatars);
    await addClassMaterials(db, writer, { each: classWares, now });
    await writer.flush();
    await finishClasses(db, classPictures, now);
    await addCommunity(db, writer, { each: posts, photographs: pictures, now });
    await addNotices(db, writer, { each: notices, now });
    await addMeetings(db, writer, { now, timezone });
    await writer.flush();
    if (photographs.length > 0) {
      await addAnswerImages(db, photographs);
      await addReviewAttachments(db, photographs);
    }
    for (const id of small.homework) await recountHomework(db, id);
    for (const id of small.exams) await recountExam(db, id);
    await resetSequences({ ...database, db }, numberedTables);
    await addAdministration(db, { passwordHash: hashes.admin, now, timezone });
    await addImports(db, { now, timezone });
    // The secrets are thrown away: users create clients of their own.
    await issueServiceToken(db, { name: '学员端', now });
    await issueClient(db, { name: '区教育数据平台', reads: ['roster', 'gradebook'], now });
    await addIdentities(db, now);
    return true;
  });
  const addresses = [...photographs, ...pictures, ...avatars, ...classPictures.schedules, ...classPictures.covers];
  const files = [...stored.map(({ key }) => key), ...addresses.map((path) => path.slice('/files/'.length))];
  if (!filled) await Promise.all(files.map((key) => storage?.delete(key)));
  // Without fresh statistics the query planner may scan tables of millions of rows.
  if (filled && measures) await sql`analyze`.execute(database.db);
  return filled;
}

/** Adds links of staff and learners to an identity provider that is not configured, so that no button leads to it. */
async function addIdentities(db: Database, now: number): Promise<void> {
  const teacher = await db.selectFrom('staff').select('id').where('username', '=', 'teacher').executeTakeFirst();
  const known = {
    provider: 'wecom',
    realm: 'ww0123456789abcdef',
    created_at: now - 86_400,
    used_at: now - 3600,
  } as const;
  await db
    .insertInto('identity_link')
    .values([
      { ...known, subject: 'teacher', number: 'teacher', name: '', staff_id: teacher?.id ?? null, state: 'linked' },
      { ...known, subject: 'xuwen', number: 'T2031', name: '徐雯', staff_id: null, state: 'waiting' },
      { ...known, subject: 'guest8', number: 'guest8', name: '', staff_id: null, state: 'rejected' },
    ])
    .execute();
  const student = await db
    .selectFrom('student')
    .select(['id', 'nickname', 'number'])
    .where('number', '<>', '')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();
  const { nickname: name = '', number = '' } = student ?? {};
  await db
    .insertInto('learner_link')
    .values([
      { ...known, subject: 'linked', number, name, student_id: student?.id ?? null, state: 'linked' },
      { ...known, subject: 'luyao', number: '20269901', name: '陆遥', student_id: null, state: 'waiting' },
    ])
    .execute();
}

/**
 * True if the database has staff. Checks under a lock, so that two processes do not both fill it; in SQLite the
 * transaction itself is that lock.
 */
async function hasStaff(db: Database, { engine }: OpenDatabase): Promise<boolean> {
  if (engine === 'postgres') await sql`lock table staff in exclusive mode`.execute(db);
  return (await db.selectFrom('staff').select('id').limit(1).executeTakeFirst()) !== undefined;
}
