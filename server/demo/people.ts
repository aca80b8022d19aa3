import type { Identity } from '#server/platform/auth/rules.ts';
import type { Flag } from '#server/platform/db/schema.ts';
import { type DemoAccount, demoPassword } from './accounts.ts';
import { longNames, mobileNumber, personName } from './names.ts';
import type { SeededRandom } from './random.ts';
import type { RowWriter } from './row-writer.ts';

export interface DemoStaff {
  id: number;
  username: string;
  identity: Identity;
}

export interface DemoMember {
  memberId: number;
  studentId: number;
  classId: number;
  /** Unix seconds. */
  joinedAt: number;
  leftAt: number | null;
  /** Probability of a right answer, from 0 to 1. */
  skill: number;
}

export interface DemoClass {
  id: number;
  name: string;
  schoolId: number;
  members: DemoMember[];
  assistants: DemoStaff[];
}

/** Password hashes by identity. They are computed only once, because argon2 is slow on purpose. */
export type PasswordHashes = Record<DemoAccount['identity'], string>;

export async function hashDemoPasswords(hash: (password: string) => Promise<string>): Promise<PasswordHashes> {
  const [teacher, assist, admin] = await Promise.all([
    hash(demoPassword('teacher')),
    hash(demoPassword('assist')),
    hash(demoPassword('admin')),
  ]);
  return { teacher, assist, admin };
}

export function addStaff(
  writer: RowWriter,
  random: SeededRandom,
  person: {
    username: string;
    identity: Identity;
    schoolId: number;
    hashes: PasswordHashes;
    createdAt: number;
    name?: string;
    introduction?: string;
    permitted?: Flag;
  },
): DemoStaff {
  const { username, identity, permitted = 1 } = person;
  const id = writer.add('staff', {
    identity,
    username,
    password_hash: person.hashes[identity],
    real_name: person.name ?? personName(random),
    mobile: mobileNumber(random),
    introduction: person.introduction ?? '',
    school_id: person.schoolId,
    can_dispatch: permitted,
    can_correct: permitted,
    disabled_at: null,
    created_at: person.createdAt,
  });
  return { id, username, identity };
}

export function addClass(
  writer: RowWriter,
  {
    name,
    schoolId,
    gradeId,
    classifyId,
    heads,
    assistants,
    createdAt,
    validUntil,
    classType = 0,
    largeClassId = null,
    groupHidden = 1,
  }: {
    name: string;
    schoolId: number;
    gradeId: number;
    classifyId: number;
    heads: DemoStaff[];
    assistants: DemoStaff[];
    createdAt: number;
    /** Until when the class is valid, unix seconds; undefined: long-term. */
    validUntil?: number;
    /** 0: state-school class. 3: group class. 1: one-to-one class. */
    classType?: 0 | 1 | 3;
    largeClassId?: number | null;
    /** 2: the class's circle is hidden. */
    groupHidden?: 1 | 2;
  },
): DemoClass {
  const id = writer.add('class', {
    name,
    school_id: schoolId,
    grade_id: gradeId,
    classify_id: classifyId,
    large_class_id: largeClassId,
    group_hidden: groupHidden,
    valid_type: validUntil === undefined ? 1 : 2,
    valid_time: validUntil ?? 0,
    class_type: classType,
    created_at: createdAt,
  });
  for (const { id: staff_id } of heads) writer.addPlain('class_staff', { class_id: id, staff_id, duty: 'head' });
  for (const { id: staff_id } of assistants) {
    writer.addPlain('class_staff', { class_id: id, staff_id, duty: 'assistant' });
  }
  return { id, name, schoolId, members: [], assistants };
}

export function addStudent(
  writer: RowWriter,
  random: SeededRandom,
  theClass: DemoClass,
  { joinedAt, name, leftAt = null }: { joinedAt: number; name?: string; leftAt?: number | null },
): DemoMember {
  const studentId = writer.add('student', {
    nickname: name ?? personName(random),
    mobile: mobileNumber(random),
    school_id: theClass.schoolId,
    created_at: joinedAt,
  });
  return addMember(writer, theClass, { studentId, joinedAt, leftAt, skill: 0.35 + 0.6 * Math.sqrt(random.next()) });
}

/** Adds an existing student to one more class. */
export function addMember(
  writer: RowWriter,
  theClass: DemoClass,
  member: Omit<DemoMember, 'classId' | 'memberId'>,
): DemoMember {
  const memberId = writer.add('class_student', {
    class_id: theClass.id,
    student_id: member.studentId,
    joined_at: member.joinedAt,
    left_at: member.leftAt,
  });
  const joined = { ...member, memberId, classId: theClass.id };
  theClass.members.push(joined);
  return joined;
}

/** Names that lists must cope with: two people with the same name, and long names. */
export const edgeCaseNames = ['王子涵', '王子涵', ...longNames];
