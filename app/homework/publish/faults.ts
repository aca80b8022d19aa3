/** Errors of the publish form, with the API's messages. They come from checks in the browser and from refusals. */
import { schemaResolver } from '@mantine/form';
import { CompletePublication } from '#server/homework/publication.contract.ts';
import { noQuestionFault, publicationMessages, questionScoreFault } from '#server/homework/rules.ts';
import { type Messages, messagesOf } from '../../ui/client/form-messages.ts';
import { type PublishForm, scoreCount, scoreForApi } from './form.ts';
import { scoreField } from './form-data.ts';

const settingsFaults = schemaResolver(CompletePublication, { sync: true });

const idOf = (text: string) => Number(text) || undefined;

/** Checks the rules that depend on the form alone. Rules about user, school or time are checked by the API. */
export function checkForm(form: PublishForm): Messages {
  const settings = settingsFaults({
    course_basis_id: idOf(form.course_basis_id),
    publish_scope: idOf(form.publish_scope),
    type: idOf(form.type),
    is_set_score: idOf(form.is_set_score),
    course_periods_id: idOf(form.course_periods_id),
    name: form.name,
    remark: form.remark,
    // Any valid deadline passes: only the server knows the school's time zone.
    ending_time: Date.parse(form.ending_time) || undefined,
    class_ids: form.class_choice === 'some' ? form.class_ids.map(Number) : undefined,
  });
  const questions = form.is_set_score === '2' ? scoreFaults(form) : {};
  const noQuestion = noQuestionFault(form.questions.length);
  const none: Messages = noQuestion ? { question: [noQuestion] } : {};
  const noChild = form.publish_scope === '2' && form.child_course_basis_ids.length === 0;
  const childless: Messages = noChild ? { child_course_basis_ids: [publicationMessages.childCourses] } : {};
  return { ...messagesOf(settings), ...childless, ...formErrors(questions, form), ...none };
}

function scoreFaults({ questions }: PublishForm): Messages {
  const faults = questions.flatMap((question, index) =>
    Array.from({ length: scoreCount(question.draft) }, (_, part) => {
      const at = question.draft.ques_type === 6 ? `ques_item.${part}.` : '';
      return [`question.${index}.${at}ques_score`, questionScoreFault(scoreForApi(question, part))] as const;
    }),
  );
  return Object.fromEntries(faults.flatMap(([field, fault]) => (fault ? [[field, [fault]]] : [])));
}

/** Message above the form: either only questions are missing, or other fields are incomplete. */
export const errorSummary = (errors: Messages): string =>
  Object.keys(errors).every((field) => field === 'question')
    ? publicationMessages.noQuestion
    : publicationMessages.incomplete;

/**
 * Maps the API's error paths to fields of the form: `question.2.ques_item.0.ques_score` becomes `score.KEY.0`, other
 * errors of a question become `question.KEY`.
 */
export function formErrors(errors: Record<string, string[]>, form: PublishForm): Messages {
  const placed: Messages = {};
  for (const [field, messages] of Object.entries(errors)) {
    const [, index, rest = ''] = /^question\.(\d+)\.(.+)$/.exec(field) ?? [];
    const question = index === undefined ? undefined : form.questions[Number(index)];
    if (!question) {
      placed[field] = messages;
      continue;
    }
    const [, part] = /^(?:ques_item\.(\d+)\.)?ques_score$/.exec(rest) ?? [];
    const isScore = rest.endsWith('ques_score');
    const name = isScore ? scoreField(question.key, Number(part ?? 0)) : `question.${question.key}`;
    const isTyped = isScore && (question.scores[Number(part ?? 0)] ?? '').trim() !== '';
    placed[name] = [...new Set([...(placed[name] ?? []), ...(isTyped ? [publicationMessages.wholeScore] : messages)])];
  }
  return placed;
}
