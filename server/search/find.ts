/** Site search: each subject searches its own visible records by name. */

import { searchExams } from '#server/exams/search.ts';
import { searchHomework } from '#server/homework/search.ts';
import { searchNotices } from '#server/notices/search.ts';
import { emptyPage, type Paging } from '#server/platform/db/page.ts';
import { searchPublicQuestions, searchQuestions } from '#server/questions/site-search.ts';
import type { RuleContext } from '#server/school/context.ts';
import { searchClasses, searchCourses, searchStudents } from './classes.ts';
import type { SearchFilter, SearchResults } from './contract.ts';
import { hitsPerKind, type SearchKind, searchLimit } from './rules.ts';

export async function searchAll(
  context: RuleContext<'actor' | 'settings'>,
  { q, kind, page, limit }: SearchFilter,
): Promise<SearchResults> {
  const { db, actor, settings } = context;
  const text = Array.from(q ?? '')
    .slice(0, searchLimit)
    .join('');
  const pageFor = (one: SearchKind): Paging =>
    kind === undefined ? { page: 1, limit: hitsPerKind } : kind === one ? { page, limit } : { page: 1, limit: 1 };
  const nothing = emptyPage({ limit: hitsPerKind });
  const isBlank = text === '';
  const ofBank = actor.permissions.includes('dispatch') && !isBlank;
  const [students, classes, courses, homework, exams, questions, publicQuestions, notices] = await Promise.all([
    isBlank ? nothing : searchStudents(db, actor, text, pageFor('students')),
    isBlank ? nothing : searchClasses(db, actor, text, pageFor('classes')),
    isBlank ? nothing : searchCourses(db, actor, text, pageFor('courses')),
    isBlank ? nothing : searchHomework(db, actor, text, pageFor('homework')),
    isBlank ? nothing : searchExams(db, actor, text, pageFor('exams')),
    ofBank ? searchQuestions(db, actor, text, pageFor('questions')) : nothing,
    ofBank && settings.switch_question_module ? searchPublicQuestions(db, text, pageFor('publicQuestions')) : nothing,
    isBlank ? nothing : searchNotices(db, actor, text, pageFor('notices')),
  ]);
  return { students, classes, courses, homework, exams, questions, publicQuestions, notices };
}
