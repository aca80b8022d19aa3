/** Creates a student with rows in every table about students; all of them hold recognisable marks. */

import { record } from './imports.ts';
import { learnerOf } from './learner.ts';
import { plantPost } from './planted-circle.ts';
import { plantAttendance } from './planted-lessons.ts';
import { studentMarks } from './planted-marks.ts';
import { plantExam, plantHomework } from './planted-papers.ts';
import { noon, type TestSchool } from './school.ts';

export interface PlantedStudent {
  id: number;
  homeworkId: number;
  reportId: number;
  essay: number;
  examId: number;
  examReportId: number;
  groupId: number;
  /** Addresses of the student's uploads, and of drawings on them. */
  pictures: string[];
  import: { source: string; id: number };
}

export async function plantStudent(school: TestSchool, { number = '20260777' } = {}): Promise<PlantedStudent> {
  const { db } = school.database;
  const { people, classes } = school;
  const { text } = studentMarks;
  const admin = school.as('admin');
  const source = `学籍${number}`;
  const school_id = (await db.selectFrom('school').select('id').orderBy('id').executeTakeFirstOrThrow()).id;

  // Created by an import, which keeps their ids.
  const records = [
    record('student', 'E-77', {
      nickname: studentMarks.name,
      number,
      mobile: studentMarks.mobile,
      guardian_mobile: studentMarks.guardian,
    }),
    record('student', '', { nickname: studentMarks.name, number: '1 2', mobile: studentMarks.mobile }),
  ];
  const sent = await admin.post('import', { source, mode: 'delta', kinds: ['student'], records });
  const importId = sent.body.data.id as number;
  const applied = await admin.post(`import/${importId}/apply`, {});
  if (applied.status !== 200) throw new Error(JSON.stringify(applied.body));
  const { id } = await db
    .selectFrom('student')
    .select('id')
    .where('nickname', '=', studentMarks.name)
    .executeTakeFirstOrThrow();

  await db
    .insertInto('import_remark')
    .values({
      import_id: importId,
      tone: 'refused',
      file: '名单',
      place: 9,
      field: 'number',
      message: `${studentMarks.name}的学号不能有空格`,
    })
    .execute();

  // Enrolments.
  await admin.post(`classes/${classes.k1}/members`, { ids: [id], acknowledged: '' });
  const joined = await db.selectFrom('class_student').select('id').where('student_id', '=', id).execute();
  if (joined.length !== 1) throw new Error(`in ${joined.length} classes`);
  await db
    .insertInto('class_earlier_stay')
    .values({
      class_id: classes.k1,
      student_id: id,
      joined_at: noon - 99,
      left_at: noon - 9,
      left_reason: `${text}离开`,
    })
    .execute();

  const pictures = [await school.keepPicture(), await school.keepPicture(), await school.keepPicture()];
  const [inAnswer, drawn, ofPost] = pictures as [string, string, string];
  const homework = await plantHomework(school, id, { inAnswer, drawn });
  const exam = await plantExam(school, id, school_id);
  const attendanceId = await plantAttendance(school, id);
  const groupId = await plantPost(school, id, { school_id, picture: ofPost });

  // A notice that was read.
  const notice = await db
    .insertInto('class_notice')
    .values({
      class_id: classes.k1,
      title: '春游',
      content: '<p>带伞</p>',
      staff_id: people.teacher.id,
      created_at: noon,
      updated_at: noon,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db.insertInto('notice_read').values({ notice_id: notice.id, student_id: id, read_at: noon }).execute();

  // Sign-in, events, messages.
  await learnerOf(school, id);
  await db
    .insertInto('learner_code')
    .values({ student_id: id, code_hash: 'x', sent_at: noon, first_sent_at: noon, sent: 1 })
    .execute();
  await db
    .insertInto('learner_password')
    .values({ student_id: id, password_hash: 'x', is_first: 1, set_at: noon })
    .execute();
  const link = {
    provider: 'oidc',
    realm: 'https://sso.test',
    name: studentMarks.name,
    created_at: noon,
    used_at: noon,
  } as const;
  await db
    .insertInto('learner_link')
    .values([
      { ...link, subject: `a${number}`, number, student_id: id, state: 'linked' as const },
      // A second account with the number waits.
      ...(number ? [{ ...link, subject: `b${number}`, number, student_id: null, state: 'waiting' as const }] : []),
    ])
    .execute();
  const session = db.selectFrom('learner_session').select('id').where('student_id', '=', id);
  await db
    .insertInto('learner_link_session')
    .values({
      session_id: (await session.executeTakeFirstOrThrow()).id,
      provider: 'oidc',
      realm: link.realm,
      subject: `a${number}`,
      session_key: 'key-at-the-provider',
      id_token: 'token-of-the-provider',
    })
    .execute();
  await db
    .insertInto('learner_event')
    .values({
      at: noon,
      kind: 'leave.decided',
      student_id: id,
      school_id,
      record_id: attendanceId,
      details: JSON.stringify({ cause: `${text}请假` }),
    })
    .execute();
  const message = { created_at: noon, next_try_at: noon, delivered_at: null, session_id: null, lane: '' };
  await db
    .insertInto('sms_outbox')
    .values([
      {
        ...message,
        message_id: `a${number}`,
        mobile: studentMarks.mobile,
        content: `${studentMarks.name}的验证码`,
        student_id: id,
      },
      { ...message, message_id: `b${number}`, mobile: studentMarks.guardian, content: '家长您好', student_id: null },
      {
        ...message,
        message_id: `c${number}`,
        mobile: '',
        content: `{"uid":${id},"cause":"${text}"}`,
        student_id: null,
        lane: `1 ${id}`,
      },
    ])
    .execute();
  await db
    .insertInto('accepted_request')
    .values({
      staff_id: people.teacher.id,
      idempotency_key: `p${number}`,
      request: 'POST x',
      content_hash: null,
      answer: JSON.stringify({ msg: `${studentMarks.name}已添加` }),
      accepted_at: noon,
    })
    .execute();
  // An export that includes the student, and one named after the student.
  await admin.post('history/export', { student: studentMarks.name });
  await db
    .insertInto('history')
    .values({
      at: noon,
      staff_id: people.admin.id,
      record: 'export_file',
      record_id: 99_998,
      action: 'export',
      before: null,
      after: JSON.stringify({ name: `${studentMarks.name}的成绩.xlsx` }),
    })
    .execute();
  await admin.get(`students/${id}`);
  return { id, ...homework, ...exam, groupId, pictures, import: { source, id: importId } };
}
