/** Plans of the demo exams, read from exams.json. */
import type { DemoSubject } from './bank.ts';
import type { StoredQuestion } from './bank-rows.ts';
import { readData } from './data.ts';
import { type OwnQuestion, ownQuestions } from './exam-questions.ts';
import type { DemoClass, DemoStaff } from './people.ts';

export interface ExamPlan {
  name: string;
  introduce?: string;
  category: string;
  /** Subject whose questions the exam takes from the bank. */
  subject: DemoSubject | '综合';
  creator: DemoStaff;
  school: number;
  shared?: number[] | undefined;
  status?: 1 | 2;
  type?: 1 | 2;
  /** Time limit in minutes; 0: none. */
  limit: number;
  /** Number of questions taken from the bank for each question type; the questions in `own` come on top. */
  questions: Partial<Record<1 | 2 | 3 | 4 | 5 | 6 | 7, number>>;
  own?: OwnQuestion[] | undefined;
  /** Pass mark as a percentage of the full score. */
  pass?: number;
  /** True for a survey, whose questions have no points. */
  unscored?: boolean;
  classes?: DemoClass[] | undefined;
  reports?: number;
  /** Share of submissions with subjective answers that are graded, from 0 to 1. */
  gradedShare?: number;
  /** Days ago on which the exam was created. */
  created: number;
}

export interface DemoContext {
  schools: [number, number];
  staff: Record<'teacher' | 'teacher2' | 'teacher3' | 'teacher4' | 'assist', DemoStaff>;
  classes: Record<'k1' | 'k2' | 'k3' | 'k4' | 'k5' | 'k7' | 'k8', DemoClass>;
  bank: StoredQuestion[];
  now: number;
}

export interface CategoryTree {
  [name: string]: CategoryTree;
}

/** An exam as exams.json has it, with names where the database has ids. */
export type ExamPlanData = Omit<ExamPlan, 'creator' | 'school' | 'shared' | 'own' | 'classes'> & {
  creator: keyof DemoContext['staff'];
  school: 'jingan' | 'pudong';
  shared?: ('jingan' | 'pudong')[];
  own?: (keyof typeof ownQuestions)[];
  classes?: (keyof DemoContext['classes'])[];
};

export const examData = readData<{
  categories: CategoryTree;
  sections: { name: string; introduce: string; types: number[] }[];
  exams: ExamPlanData[];
}>('exams.json');

export function planExams({ schools: [jingan, pudong], staff, classes }: DemoContext): ExamPlan[] {
  const schools = { jingan, pudong };
  return examData.exams.map(({ creator, school, shared, own, classes: takenBy, ...plan }) => ({
    ...plan,
    creator: staff[creator],
    school: schools[school],
    shared: shared?.map((name) => schools[name]),
    own: own?.flatMap((name) => ownQuestions[name]),
    classes: takenBy?.map((name) => classes[name]),
  }));
}
