import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import { goal } from '../support/budget.ts';
import { onBothEngines } from '../support/on-both-engines.ts';
import { day, noon } from '../support/school.ts';

const classCount = 200;
const studentsEach = 100;

onBothEngines('publishing to a large school', (school) => {
  let course: number;

  beforeAll(async () => {
    const { db } = school().database;
    const { people } = school();
    ({ id: course } = await db
      .insertInto('course')
      .values({ title: '全校课程', parent_id: null, school_id: 1, ...unclassified, created_at: noon })
      .returning('id')
      .executeTakeFirstOrThrow());
    await db
      .insertInto('period')
      .values({ course_id: course, title: '课时', lecturer_id: people.teacher.id, chapter_id: null, start_play: noon })
      .execute();
    await db.transaction().execute(async (trx) => {
      for (let number = 0; number < classCount; number += 1) {
        const { id: class_id } = await trx
          .insertInto('class')
          .values({
            name: `大班${number}`,
            school_id: 1,
            grade_id: null,
            classify_id: null,
            large_class_id: null,
            created_at: noon,
          })
          .returning('id')
          .executeTakeFirstOrThrow();
        await trx.insertInto('class_course').values({ class_id, course_id: course }).execute();
        const students = await trx
          .insertInto('student')
          .values(Array.from({ length: studentsEach }, () => ({ nickname: '学生', school_id: 1, created_at: noon })))
          .returning('id')
          .execute();
        await trx
          .insertInto('class_student')
          .values(students.map(({ id }) => ({ class_id, student_id: id, joined_at: noon, left_at: null })))
          .execute();
      }
    });
  });

  it(`reaches ${classCount} classes with ${classCount * studentsEach} students`, async () => {
    const question = Array.from({ length: 50 }, (_, number) => ({
      ques_type: 1,
      ques_stem: `<p>第${number + 1}题${'题干'.repeat(100)}</p>`,
      ques_option: ['甲', '乙', '丙', '丁'].map((content, index) => ({ content, is_right: index === 0 ? 1 : 2 })),
      facility_value: 3,
      ques_score: 2,
    }));
    const started = performance.now();
    const { body } = await school()
      .as('teacher')
      .post('hw/publish', {
        course_basis_id: course,
        type: 1,
        name: '全校作业',
        ending_time: noon + day,
        is_set_score: 2,
        publish_scope: 3,
        question,
      });
    const took = performance.now() - started;
    expect(body.msg).toBe('作业发布成功');
    expect((await school().as('teacher').get(`hw/publish/button/${body.data.id}`)).body.data).toMatchObject({
      published_class_count: classCount,
    });
    expect((await school().as('teacher').get('hw/index')).body.data.list[0]).toMatchObject({
      homework_count: classCount * studentsEach,
    });
    // Inserting the bare rows may be slow on a small disk.
    goal(
      `publishing to ${classCount} classes, ${school().engine}`,
      took,
      Math.max(1000, 4 * (await bareInsert(body.data.id))),
    );
  });

  /** Milliseconds that the database takes to insert as many reports and nothing else. */
  async function bareInsert(homeworkId: number): Promise<number> {
    let took = 0;
    const undone = new Error('undone');
    await school()
      .database.db.transaction()
      .execute(async (trx) => {
        const { id } = await trx
          .insertInto('homework')
          .columns(homeworkColumns)
          .expression(trx.selectFrom('homework').select(homeworkColumns).where('id', '=', homeworkId))
          .returning('id')
          .executeTakeFirstOrThrow();
        const started = performance.now();
        await trx
          .insertInto('report')
          .columns(['homework_id', 'class_id', 'student_id'])
          .expression(
            trx
              .selectFrom('report')
              .select([sql.lit(id).as('homework_id'), 'class_id', 'student_id'])
              .where('homework_id', '=', homeworkId),
          )
          .execute();
        took = performance.now() - started;
        throw undone;
      })
      .catch((thrown) => {
        if (thrown !== undone) throw thrown;
      });
    return took;
  }
});

const homeworkColumns = [
  'name',
  'type',
  'course_id',
  'creator_id',
  'publish_time',
  'ending_time',
  'is_set_score',
  'publish_scope',
  'publish_type',
  'total_score',
] as const;
const unclassified = { classify_id: null, grade_id: null, subject_id: null };
