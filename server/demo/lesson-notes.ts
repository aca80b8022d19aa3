/** Adds the records of lessons in group and one-to-one classes: contracts, attendance, evaluations, talks. */
import type { DemoCourse } from './courses.ts';
import type { DemoClass, DemoStaff } from './people.ts';
import { type SeededRandom, seededRandom } from './random.ts';
import type { RowWriter } from './row-writer.ts';
import type { PlannedSession } from './sessions.ts';

const day = 24 * 60 * 60;

interface LessonNotesPlan {
  team: Team;
  theClass: DemoClass;
  sessions: PlannedSession[];
  seed: number;
  now: number;
}

export function addLessonNotes(writer: RowWriter, noted: LessonNotesPlan): void {
  const random = seededRandom(noted.seed);
  const held = noted.sessions.filter(({ end, isCancelled }) => end <= noted.now && !isCancelled);
  addContracts(writer, noted, held, random);
  // For the latest in-person lesson, the roll has not been called yet.
  const called = noted.team.mode === 2 ? held.slice(0, -1) : held;
  for (const [number, session] of called.entries()) addHeld(writer, noted, { session, number, random });
  addGoing(writer, noted);
  addComing(writer, noted);
  addTalks(writer, noted, held);
}

function addContracts(
  writer: RowWriter,
  { team, theClass, seed, now }: LessonNotesPlan,
  held: PlannedSession[],
  random: SeededRandom,
): void {
  for (const [index, member] of theClass.members.entries()) {
    // In larger group classes the last student has no contract yet.
    if (team.classType !== 3 || (team.size > 5 && index === theClass.members.length - 1)) continue;
    const first = held.find(({ end }) => end > member.joinedAt);
    writer.addPlain('class_contract', {
      class_student_id: member.memberId,
      contracts_number: `HT2026${String(seed).padStart(4, '0')}${String(index + 1).padStart(3, '0')}`,
      sign_type: random.chance(0.8) ? 1 : 2,
      remaining_lessons: team.hasEnded ? 0 : random.whole(2, 30),
      periods_price: random.pick([12_000, 15_000, 18_050, 22_000]),
      lesson_minutes: 90,
      first_time: first && first.start < now ? first.start : null,
    });
  }
}

const reasons = ['提前与老师说明，在家补看了回放', '迟到二十分钟，补签', '网络中断，已电话核实在线听课'];
const evaluations = [
  '课堂积极，思路清楚，计算还要更仔细。',
  '能独立完成例题，课后请把错题再做一遍。',
  '这节课走神较多，下次请准备好笔记本。',
];
const answers = ['老师讲得很清楚', '进度有点快', ''];

function addHeld(
  writer: RowWriter,
  { team, theClass, now }: LessonNotesPlan,
  { session, number, random }: { session: PlannedSession; number: number; random: SeededRandom },
): void {
  for (const [index, { studentId, joinedAt }] of theClass.members.entries()) {
    if (joinedAt >= session.end) continue;
    const chance = random.next();
    // Attendance and leave are recorded. An absence has no record, or sometimes an explicit one.
    const status = chance < 0.8 ? 1 : chance < 0.9 ? 2 : index === number % 9 ? 3 : null;
    if (status === null) continue;
    const byHand = status === 1 && random.chance(0.15);
    const evaluated = number % 3 !== 2 && status === 1 && random.chance(0.6);
    writer.add('session_student', {
      session_id: session.id,
      student_id: studentId,
      status,
      attend_type: status === 1 ? (byHand ? 2 : 1) : 0,
      remark: byHand ? random.pick(reasons) : '',
      set_by: byHand || status === 2 ? team.assistant.id : null,
      set_at: Math.min(now, session.end),
      teacher_remark: evaluated ? random.pick(evaluations) : '',
      teacher_remark_by: evaluated ? team.lecturer.id : null,
      teacher_remark_at: evaluated ? Math.min(now, session.end + 600) : null,
      student_remark: status === 1 ? random.pick(answers) : '',
    });
  }
}

/** In the lesson that is going on now, most students have entered; the roll can be called for the others. */
function addGoing(writer: RowWriter, { theClass, sessions, now }: LessonNotesPlan): void {
  const going = sessions.find(({ start, end, isCancelled }) => start <= now && now < end && !isCancelled);
  if (!going) return;
  for (const [index, { studentId }] of theClass.members.entries()) {
    if (index % 4 === 3) continue;
    writer.add('session_student', {
      session_id: going.id,
      student_id: studentId,
      status: 1,
      attend_type: 1,
      remark: '',
      set_by: null,
      set_at: Math.min(now, going.start + 60 * index),
      teacher_remark: '',
      teacher_remark_by: null,
      teacher_remark_at: null,
      student_remark: '',
    });
  }
}

/** One student has leave for the next lesson. */
function addComing(writer: RowWriter, { team, theClass, sessions, now }: LessonNotesPlan): void {
  const next = sessions.filter(({ start, isCancelled }) => start > now && !isCancelled)[0];
  const member = theClass.members[1];
  if (!next || !member) return;
  writer.add('session_student', {
    session_id: next.id,
    student_id: member.studentId,
    status: 2,
    attend_type: 0,
    remark: '家中有事',
    set_by: team.assistant.id,
    set_at: now - day / 2,
    teacher_remark: '',
    teacher_remark_by: null,
    teacher_remark_at: null,
    student_remark: '',
  });
}

const talks = [
  '家长反映孩子最近作业拖拉，约定每天八点前交作业截图，下周再联系。',
  '电话沟通本次课的表现，家长表示会督促复习。',
  '学员询问请假后如何补课，已说明可看回放并到答疑时间提问。',
];

function addTalks(writer: RowWriter, { team, theClass, sessions, now }: LessonNotesPlan, held: PlannedSession[]): void {
  const coming = sessions.filter(({ start }) => start > now).slice(0, 3);
  for (const [index, session] of [...held.slice(-4), ...coming].entries()) {
    for (const [number, content] of talks.slice(0, (index % 3) + 1).entries()) {
      const member = theClass.members[(index + number) % Math.max(1, theClass.members.length)];
      if (!member || member.joinedAt >= session.end) continue;
      writer.add('communication_record', {
        session_id: session.id,
        student_id: member.studentId,
        content,
        staff_id: (index + number) % 2 === 0 ? team.lecturer.id : team.assistant.id,
        created_at: Math.min(session.end + (number + 1) * 1800, now - (number + 1) * 600),
      });
    }
  }
}

export interface Team {
  name: string;
  /** 3: group class. 1: one-to-one class. */
  classType: 1 | 3;
  size: number;
  course: DemoCourse;
  lecturer: DemoStaff;
  assistant: DemoStaff;
  /** 1: live. 2: in person. */
  mode: 1 | 2;
  /** Days from today of the first lesson; further ones follow every third day. */
  firstDay: number;
  /** Hour of the day at which lessons begin. */
  from: number;
  /** Number of lessons; 14 by default. */
  lessons?: number;
  hasEnded?: boolean;
  /** True if the class is at the other campus. */
  elsewhere?: boolean;
  /** Grade; 高一 by default. */
  grade?: string;
  remarks?: string;
}
