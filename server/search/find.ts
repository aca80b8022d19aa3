/** Everything by its name, of what the actor sees: each kind is looked for by the subject that owns it. */

import { examsFound } from '#server/exams/search.ts';
import { homeworkFound } from '#server/homework/search.ts';
import { noticesFound } from '#server/notices/search.ts';
import { emptyPage, type Paging } from '#server/platform/db/page.ts';
import { publicQuestionsFound, questionsFound } from '#server/questions/site-search.ts';
import type { RuleContext } from '#server/school/context.ts';
import { classesFound, coursesFound, studentsFound } from './classes.ts';
import type { Found, SearchFilter } from './contract.ts';
import { type SearchKind, searchLimit, searchShown } from './rules.ts';

export async function find(
  context: RuleContext<'actor' | 'settings'>,
  { q, kind, page, limit }: SearchFilter,
): Promise<Found> {
  const { db, actor, settings } = context;
  const text = Array.from(q ?? '')
    .slice(0, searchLimit)
    .join('');
  const pageFor = (one: SearchKind): Paging =>
    kind === undefined ? { page: 1, limit: searchShown } : kind === one ? { page, limit } : { page: 1, limit: 1 };
  const nothing = emptyPage({ limit: searchShown });
  const isBlank = text === '';
  const ofBank = actor.permissions.includes('dispatch') && !isBlank;
  const [students, classes, courses, homework, exams, questions, publicQuestions, notices] = await Promise.all([
    isBlank ? nothing : studentsFound(db, actor, text, pageFor('students')),
    isBlank ? nothing : classesFound(db, actor, text, pageFor('classes')),
    isBlank ? nothing : coursesFound(db, actor, text, pageFor('courses')),
    isBlank ? nothing : homeworkFound(db, actor, text, pageFor('homework')),
    isBlank ? nothing : examsFound(db, actor, text, pageFor('exams')),
    ofBank ? questionsFound(db, actor, text, pageFor('questions')) : nothing,
    ofBank && settings.switch_question_module ? publicQuestionsFound(db, text, pageFor('publicQuestions')) : nothing,
    isBlank ? nothing : noticesFound(db, actor, text, pageFor('notices')),
  ]);
  return { students, classes, courses, homework, exams, questions, publicQuestions, notices };
}
