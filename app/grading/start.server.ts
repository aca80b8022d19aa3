import { redirect } from 'react-router';
import { missingSheet } from '#server/exams/rules.ts';
import { startExamGrading } from '#server/grading-desk/exam.contract.ts';
import { startHomeworkGrading } from '#server/homework/contract.ts';
import { missingHomework } from '#server/homework/rules.ts';
import { api } from '../api/client.server.ts';
import { readButton, readPostedForm, redirectBack } from '../shell/form-action.server.ts';
import type { FormRequest } from '../shell/form-request.ts';
import { examDesk, gradingHref, homeworkDesk } from './screens.ts';

/**
 * Handles the button `start 12` (homework 12) or `start 12 34` (only student 34). Redirects to the first report to
 * grade, or back with the reason why there is none.
 */
export async function redirectToGrading(
  { request, context, url }: FormRequest,
  from: string,
  class_id = 0,
): Promise<never> {
  const [, hw_id, uid] = readButton(await readPostedForm(request, context), 'start');
  const outcome = await context.get(api).ask(startHomeworkGrading, { body: { hw_id, class_id, uid } });
  if (!outcome.ok) return redirectBack(context, outcome, url);
  const { report_id } = outcome.data;
  if (report_id === null) return redirectBack(context, { ok: false, status: 404, msg: missingHomework }, url);
  throw redirect(gradingHref(homeworkDesk, { report_id, class_id, back: from }));
}

/** Handles the button `start 12` of exam 12. Redirects as redirectToGrading does. */
export async function redirectToExamGrading({ request, context, url }: FormRequest, from: string): Promise<never> {
  const [, test_id] = readButton(await readPostedForm(request, context), 'start');
  const outcome = await context.get(api).ask(startExamGrading, { body: { test_id } });
  if (!outcome.ok) return redirectBack(context, outcome, url);
  const { report_id } = outcome.data;
  if (report_id === null) return redirectBack(context, { ok: false, status: 404, msg: missingSheet }, url);
  throw redirect(gradingHref(examDesk, { report_id, assignment_id: Number(test_id), back: from }));
}
