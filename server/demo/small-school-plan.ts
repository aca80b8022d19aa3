/** Types and contents of small-school.json. */
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

interface StaffData {
  identity: Identity;
  name: string;
  school: SchoolName;
  introduction: string;
  permitted?: Flag;
}

interface ClassData {
  name: string;
  size: number;
  /** The school of the class; jingan by default. */
  school?: SchoolName;
  grade: string;
  classify: string;
  large?: ParentName;
  heads: StaffName[];
  assistants: StaffName[];
  /** True if the first students of the class get names that are hard for lists, such as very long ones. */
  remarkable?: true;
  /** Days from now until the class ends; omitted: long-term. */
  validFor?: number;
}

/** School, grade and other choices by name. */
export interface CoursePlaceData {
  title: string;
  subject: DemoSubject;
  type: number;
  grade: string;
  classify: string;
  school: SchoolName;
}

interface CourseData extends CoursePlaceData {
  parent?: ParentName;
  classes: ClassName[];
  lecturers: StaffName[];
  /** Days from today of the first period, and days between two periods. */
  firstDay: number;
  everyDays?: number;
}

/** Stage of a homework: its deadline and submissions follow from it. */
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
  /** Lecturer in whose periods the homework is published; omitted: it is course homework. */
  lecturer?: StaffName;
  stages: Partial<Record<Stage, number>>;
  /** Classes of the homework; the entries take turns. If it is only partly published, the last third gets none. */
  classes: ClassName[][];
}

/**
 * Contents of small-school.json: staff, classes and courses by name, and the number of homework per stage. The demo
 * lecturer teaches two thirds of maths, half of physics and of final maths, and all experiments; the demo assistant
 * looks after the classes k1 to k4.
 */
export const schoolData = readData<{
  staff: Record<StaffName | 'newcomer', StaffData>;
  classes: Record<ClassName, ClassData>;
  /** Parent courses, which have no periods. */
  parents: Record<ParentName, CoursePlaceData>;
  courses: Record<Exclude<CourseName, 'parent'>, CourseData>;
  /** Batches of homework, grouped by what they have to do with the demo accounts. */
  homework: Record<string, Batch[]>;
  names: {
    endings: string[];
    /** Names of exactly 20 characters, the maximum. */
    long: Partial<Record<DemoSubject, string[]>>;
  };
  remarks: string[];
}>('small-school.json');
