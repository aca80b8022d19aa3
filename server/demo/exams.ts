/** Adds the exams of the demo school, with their categories. */
import { storedAnswer, storedHtml, storedOptions } from './bank.ts';
import {
  type CategoryTree,
  type DemoContext,
  type ExamPlan,
  type ExamPlanData,
  examData,
  planExams,
} from './exam-plans.ts';
import { blankTenths, matchingOptions, type OwnQuestion, ownQuestions } from './exam-questions.ts';
import { addReports } from './exam-reports.ts';
import { defaultScores } from './homework.ts';
import type { DemoClass, DemoStaff } from './people.ts';
import { seededRandom } from './random.ts';
import type { RowWriter } from './row-writer.ts';
import { type SimulatedQuestion, simulateQuestion } from './simulated-answers.ts';

const day = 24 * 60 * 60;
const minute = 60;
const hour = 3600;

interface FurtherExam {
  turn: number;
  edition: string;
  creator: DemoStaff;
  school: number;
  shared: number[] | undefined;
  classes: DemoClass[];
  reports: number;
  created: number;
}

/** Context of one exam. `seed`: of its random numbers, which are the same at every run. */
interface ExamContext extends Pick<DemoContext, 'bank' | 'now'> {
  categories: Record<string, number>;
  seed: number;
}

/** Adds all exams. Returns their ids, for `recountExam`, and the category ids by name. */
export function addExams(
  writer: RowWriter,
  context: DemoContext,
): { exams: number[]; categories: Record<string, number> } {
  const categories = addCategories(writer);
  const exams = planExams(context).map((plan, index) =>
    addExam(writer, plan, { ...context, categories, seed: 5000 + index }),
  );
  return { exams, categories };
}

function addCategories(writer: RowWriter): Record<string, number> {
  const ids: Record<string, number> = {};
  let sort = 0;
  const add = (tree: CategoryTree, parent_id: number | null) => {
    for (const [name, children] of Object.entries(tree)) {
      sort += 1;
      ids[name] = writer.add('exam_category', { parent_id, name, sort });
      add(children, ids[name]);
    }
  };
  add(examData.categories, null);
  return ids;
}

/** Adds an exam like an existing one that was taken, with other students; existing ones take turns. */
export function repeatExam(writer: RowWriter, { turn, edition, ...plan }: FurtherExam, context: ExamContext): number {
  const taken = examData.exams.filter(({ reports }) => reports !== undefined);
  const original = taken[turn % taken.length] as ExamPlanData;
  const own = original.own?.flatMap((name) => ownQuestions[name]);
  return addExam(writer, { ...original, ...plan, name: `${original.name}（${edition}）`, own }, context);
}

function addExam(writer: RowWriter, plan: ExamPlan, { bank, categories, seed, now }: ExamContext): number {
  const random = seededRandom(seed);
  const pool = random.shuffled(bank.filter(({ subject }) => plan.subject === '综合' || subject === plan.subject));
  const chosen: (OwnQuestion & { id?: number; partIds?: number[] })[] = [
    ...Object.entries(plan.questions).flatMap(([type, count]) =>
      pool.filter((question) => question.type === Number(type)).slice(0, count),
    ),
    ...(plan.own ?? []),
  ];
  const worth = (question: OwnQuestion): number => {
    if (plan.unscored) return 0;
    if (question.parts.length > 0) return question.parts.reduce((sum, part) => sum + worth(part), 0);
    return question.type === 7
      ? blankTenths(question).reduce((sum, tenths) => sum + tenths, 0)
      : (defaultScores[question.type] ?? 50);
  };
  const score = chosen.reduce((sum, question) => sum + worth(question), 0);
  const createdAt = now - plan.created * day - random.whole(0, 6) * hour;
  const examId = writer.add('exam', {
    name: plan.name,
    introduce: plan.introduce ?? '',
    type: plan.type ?? 1,
    category_id: categories[plan.category] ?? null,
    limit_time: plan.limit * minute,
    score,
    pass_score: Math.round((score * (plan.pass ?? 60)) / 1000) * 10,
    ques_num: chosen.reduce((sum, question) => sum + Math.max(1, question.parts.length), 0),
    status: plan.status ?? 1,
    creator_id: plan.creator.id,
    school_id: plan.school,
    created_at: createdAt,
  });
  for (const school_id of plan.shared ?? []) writer.addPlain('exam_school', { exam_id: examId, school_id });

  const questions: SimulatedQuestion[] = [];
  const add = (
    question: OwnQuestion,
    at: { section_id: number; parent_id: number | null; sort: number; source_id: number | null },
  ) => {
    const tenths = worth(question);
    const blankScores = question.type === 7 && !plan.unscored ? blankTenths(question) : undefined;
    const id = writer.add('exam_question', {
      ...at,
      exam_id: examId,
      ques_type: question.type,
      ques_stem: storedHtml(question.stem),
      ques_option: question.matching ? matchingOptions(question.matching) : storedOptions(question),
      right_answer: storedAnswer(question),
      ques_analysis: storedHtml(question.analysis),
      facility_value: question.facility,
      score: tenths,
      answer_score: blankScores?.join('@@') ?? '',
      points: JSON.stringify(question.remark ? [question.remark] : []),
      attachments: '[]',
    });
    if (question.parts.length === 0)
      questions.push(simulateQuestion(question, id, tenths, { levels: question.levels, blankScores }));
    return id;
  };
  let sectionNumber = 0;
  for (const section of examData.sections) {
    const questions = chosen.filter((question) => section.types.includes(question.type));
    if (questions.length === 0) continue;
    sectionNumber += 1;
    const section_id = writer.add('exam_section', {
      exam_id: examId,
      name: section.name.replace(/^./, '一二三四五六'[sectionNumber - 1] as string),
      introduce: section.introduce,
      sort: sectionNumber,
    });
    for (const [index, question] of questions.entries()) {
      const parent = add(question, { section_id, parent_id: null, sort: index + 1, source_id: question.id ?? null });
      for (const [part, one] of question.parts.entries()) {
        const source_id = question.partIds?.[part] ?? null;
        add(one, { section_id, parent_id: parent, sort: part + 1, source_id });
      }
    }
  }
  addReports(writer, plan, { examId, asked: questions, createdAt, random, now });
  return examId;
}
