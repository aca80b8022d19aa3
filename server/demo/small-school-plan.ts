/** Contents of small-school.json. */
import type { Flag } from '#server/platform/db/schema.ts';
import type { Identity } from '#server/school/call.ts';
import type { DemoSubject } from './bank.ts';
import { readData } from './data.ts';

export type StaffName = 'teacher' | 'teacher2' | 'teacher3' | 'teacher4' | 'assist' | 'assist2' | 'assist3' | 'assist4';

export type ClassName = 'k1' | 'k2' | 'k3' | 'k4' | 'k5' | 'k6' | 'k7' | 'k8' | 'k9' | 'k10' | 'k11';

export type CourseName =
  | 'maths'
  | 'physics'
  | 'english'
  | 'chinese'
  | 'finalMaths'
  | 'experiments'
  | 'finalChinese'
  | 'english2'
  | 'english8'
  | 'parent';

export type SchoolName = 'jingan' | 'pudong';

type ParentName = 'senior' | 'final';

interface WrittenStaff {
  identity: Identity;
  name: string;
  school: SchoolName;
  introduction: string;
  permitted?: Flag;
}

interface WrittenClass {
  name: string;
  size: number;
  /** Default jingan. */
  school?: SchoolName;
  grade: string;
  classify: string;
  large?: ParentName;
  heads: StaffName[];
  assistants: StaffName[];
  /** Its first students have the edge-case names. */
  remarkable?: true;
  /** Days from now; omitted: long-term. */
  validFor?: number;
}

/** Classification of a course. */
export interface WrittenPlace {
  title: string;
  subject: DemoSubject;
  type: number;
  grade: string;
  classify: string;
  school: SchoolName;
}

interface WrittenCourse extends WrittenPlace {
  parent?: ParentName;
  classes: ClassName[];
  lecturers: StaffName[];
  /** Days from today of the first period, and between two periods. */
  firstDay: number;
  everyDays?: number;
}

/** State of a homework; its deadline and submissions follow from it. */
export type Stage =
  | 'open'
  | 'new'
  | 'graded'
  | 'graded lately'
  | 'waiting'
  | 'recalled'
  | 'partly'
  | 'partly ended'
  | 'nothing came';

export interface Batch {
  creator: StaffName;
  course: CourseName;
  /** Published in this lecturer's periods; omitted: a course homework. */
  lecturer?: StaffName;
  stages: Partial<Record<Stage, number>>;
  /** Used in turn; a partly published homework omits the last third. */
  classes: ClassName[][];
}

/**
 * Contents of small-school.json: staff, classes and courses by name, and numbers of homeworks per stage. The lecturer
 * teaches two thirds of maths, half of physics and final maths, and all experiments; the assistant looks after k1 to
 * k4.
 */
export const schoolData = readData<{
  staff: Record<StaffName | 'newcomer', WrittenStaff>;
  classes: Record<ClassName, WrittenClass>;
  /** Parent courses; they have no periods. */
  parents: Record<ParentName, WrittenPlace>;
  courses: Record<Exclude<CourseName, 'parent'>, WrittenCourse>;
  /** By relation to the demo accounts. */
  homework: Record<string, Batch[]>;
  names: {
    endings: string[];
    /** Exactly 20 characters, the maximum. */
    long: Partial<Record<DemoSubject, string[]>>;
  };
  remarks: string[];
}>('small-school.json');
