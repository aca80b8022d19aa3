/** Loads the publish form for each of its starting points, with the options of its fields. */

import { data } from 'react-router';
import * as v from 'valibot';
import { missingCourse, missingPeriod } from '#server/classes/rules.ts';
import {
  copyHomework,
  type HomeworkQuestion,
  type HomeworkSettings,
  remedialHomework,
} from '#server/homework/copies.contract.ts';
import { savePublishDraft, showPublishDraft } from '#server/homework/drafts.contract.ts';
import { chooseCourse, choosePeriod, publishClasses, ScopeExtra } from '#server/homework/publication.contract.ts';
import {
  arrangeTypes,
  courseHomeworkName,
  lessonHomeworkName,
  publicationMessages,
  sourceSession,
} from '#server/homework/rules.ts';
import type { RequestOf } from '#server/platform/calls/call.ts';
import { joinFirstNames } from '#server/platform/text/rules.ts';
import { displayTexts } from '#server/questions/contract.ts';
import { showSession } from '#server/sessions/contract.ts';
import { missingSession } from '#server/sessions/rules.ts';
import type { ApiClient } from '../../api/client.server.ts';
import { localDay, localValue } from '../../lib/dates.ts';
import { draftOf } from '../../questions/question-codec.ts';
import { sessionTopic } from '../../sessions/terms.ts';
import { type PublishAddress, publish } from '../screens.ts';
import { tomorrowEvening } from './deadlines.ts';
import {
  type ChosenCourse,
  emptyForm,
  initialClasses,
  type NewQuestion,
  type PublishForm,
  unsavedContent,
  withCourse,
  withQuestions,
} from './form.ts';
import type { Notice } from './operations.ts';
import { formText, parseForm } from './parse-form.ts';
import { type Choices, needsDisplay, type PublishView, textsOf } from './view.ts';

/** Loads the form that an address describes, and the starting point in the form that later addresses use. */
export async function loadStartingForm(
  client: ApiClient,
  address: PublishAddress,
  timezone: string,
): Promise<{ form: PublishForm; place: PublishAddress; notice?: Notice }> {
  const form = await readStoredForm(client, address.draft);
  if (form) return { form, place: address };
  const fresh =
    address.type === 'copy'
      ? await copiedForm(client, address, timezone)
      : address.type === 'remedial'
        ? await remedialForm(client, address)
        : { form: await freshForm(client, address, timezone), place: address };
  const started = { ...fresh, form: { ...fresh.form, submit_key: crypto.randomUUID() } };
  return address.draft ? { ...started, notice: { kind: 'warning', msg: publicationMessages.draftGone } } : started;
}

async function freshForm(
  client: ApiClient,
  { arrange_id, arrange_type, course_id, period_id, class_id }: PublishAddress,
  timezone: string,
): Promise<PublishForm> {
  if (arrange_id) {
    const session = await client.send(showSession, { params: { id: arrange_id } });
    return {
      ...emptyForm,
      ...lessonDefaults(client, sessionTopic(session) || session.course_title, timezone),
      course_basis_id: String(session.course_id),
      type: session.period_id === null ? '1' : '2',
      course_periods_id: String(session.period_id ?? ''),
    };
  }
  if (arrange_type === sourceSession) throw data({ msg: missingSession }, { status: 404 });
  const courses = await client.send(chooseCourse, { query: { is_create_hw: 1 } });
  // The only course is chosen already.
  const course = course_id ? courses.find(({ id }) => id === course_id) : courses.length === 1 ? courses[0] : undefined;
  if (!course) {
    if (course_id) throw data({ msg: missingCourse }, { status: 404 });
    return { ...emptyForm, ...initialClasses(class_id) };
  }
  const form = withCourse(emptyForm, await chosenCourse(client, course, { class_id, period_id }));
  if (!period_id) return { ...form, name: courseHomeworkName(course.title, localDay(client.now(), timezone).slice(5)) };
  const periods = await client.send(choosePeriod, { params: { courseId: course.id } });
  const period = periods.find(({ id }) => id === period_id);
  if (!period) throw data({ msg: missingPeriod }, { status: 404 });
  return {
    ...form,
    ...lessonDefaults(client, period.title, timezone),
    type: '2',
    course_periods_id: String(period_id),
  };
}

/**
 * Initial course and scope. A course with child courses starts with all of them. From a class or lesson, it starts with
 * the course itself if that class (or any class) takes it. Undefined if the user may not publish in the course.
 */
export async function loadChosenCourse(
  client: ApiClient,
  courseId: number,
  address: Pick<PublishAddress, 'class_id' | 'period_id'>,
): Promise<ChosenCourse | undefined> {
  const courses = await client.send(chooseCourse, { query: { is_create_hw: 1 } });
  const course = courses.find(({ id }) => id === courseId);
  return course && chosenCourse(client, course, address);
}

async function chosenCourse(
  client: ApiClient,
  course: { id: number; children_count: number },
  { class_id, period_id }: Pick<PublishAddress, 'class_id' | 'period_id'>,
): Promise<ChosenCourse> {
  const chosen = { id: String(course.id), classId: class_id };
  if (course.children_count === 0) return { ...chosen, scope: '3' };
  if (class_id === undefined && period_id === undefined) return { ...chosen, scope: '1' };
  const { classes } = await classesIn(client, { course_basis_id: course.id, publish_scope: '3' });
  const isOwn = class_id === undefined ? classes.length > 0 : classes.some(({ id }) => id === class_id);
  return { ...chosen, scope: isOwn ? '3' : '1' };
}

/** Defaults for homework of a lesson: a name from the lesson's topic, and tomorrow evening as the deadline. */
const lessonDefaults = (client: ApiClient, topic: string, timezone: string) => ({
  name: lessonHomeworkName(topic),
  ending_time: tomorrowEvening(client.now(), timezone),
});

/**
 * Form with the questions that were answered wrong, for the classes of the students who failed them. The deadline is
 * empty.
 */
async function remedialForm(client: ApiClient, address: PublishAddress) {
  const { hw_info, question, classes } = await client.send(remedialHomework, {
    params: { id: address.id ?? 0 },
    query: { ques_ids: address.ques_ids.join(','), class_id: address.class_id },
  });
  const form = withQuestions(
    {
      ...emptyForm,
      ...settingsIn(hw_info),
      class_choice: 'some',
      class_ids: classes.map(({ id }) => String(id)),
    },
    question.map((one) => questionFromHomework(one, hw_info.is_set_score === 2)),
  );
  const classTexts = classes.map(({ name, students }) => `${name}（${students}人未答对）`);
  const msg = `作业发布到班级，已选择有学员未答对的${classes.length}个班级：${joinFirstNames(classTexts)}。这些班级的全部学员都会收到。`;
  return { form, place: await withSession(client, address, hw_info), notice: { kind: 'warning', msg } as const };
}

const settingsIn = (info: HomeworkSettings) => ({
  course_basis_id: String(info.course_basis_id),
  publish_scope: String(info.publish_scope),
  child_course_basis_ids: info.child_course_basis_ids.map(String),
  type: String(info.type),
  course_periods_id: String(info.course_periods_id ?? ''),
  name: info.name,
  remark: info.remark,
  is_set_score: String(info.is_set_score),
  right_answers: String(info.right_answers),
});

/** Form that copies a homework with its classes. A deadline that has passed is left out. */
async function copiedForm(client: ApiClient, address: PublishAddress, timezone: string) {
  const { hw_info, question, classes } = await client.send(copyHomework, { params: { id: address.id ?? 0 } });
  const { ending_time } = hw_info;
  const place = await withSession(client, address, hw_info);
  const own = place.arrange_id ? {} : { class_choice: 'some', class_ids: classes.map(({ id }) => String(id)) };
  const form: PublishForm = withQuestions(
    {
      ...emptyForm,
      ...settingsIn(hw_info),
      ...own,
      ending_time: ending_time < client.now() ? '' : localValue(ending_time, timezone),
    },
    question.map((one) => questionFromHomework(one, hw_info.is_set_score === 2)),
  );
  const choices = await loadChoices(client, form, place.arrange_id);
  const gone = place.arrange_id ? [] : classes.filter(({ id }) => !choices.classes.some((one) => one.id === id));
  if (gone.length === 0) return { form, place };
  const msg = `原作业的班级中，${gone.map(({ name }) => name).join('、')}已不能布置，未选择`;
  return { form, place, notice: { kind: 'warning', msg } as const };
}

/** Adds the scheduled lesson of the original homework, if that lesson is the user's. */
async function withSession(
  client: ApiClient,
  address: PublishAddress,
  { arrange_id, arrange_type }: { arrange_id: number | null; arrange_type: number | null },
): Promise<PublishAddress> {
  if (!arrange_id || address.arrange_id) return address;
  const session = await client.ask(showSession, { params: { id: arrange_id } });
  return session.ok
    ? { ...address, arrange_id, arrange_type: arrangeTypes.find((one) => one === arrange_type) ?? sourceSession }
    : address;
}

/** Converts a published question to one that can be added, with its scores if the homework had scores. */
export function questionFromHomework(question: HomeworkQuestion, withScores: boolean): NewQuestion {
  const scored = question.ques_type === 6 ? question.ques_item : [question];
  return {
    source_id: question.source_id,
    draft: draftOf(question),
    scores: withScores ? scored.map(({ ques_score }) => ques_score) : [],
  };
}

// ---- stored forms --------------------------------------------------------------------------------------

async function readStoredForm(client: ApiClient, id: string | undefined): Promise<PublishForm | undefined> {
  if (!id) return undefined;
  const kept = await client.ask(showPublishDraft, { params: { id } });
  return kept.ok ? parseForm(kept.data.form) : undefined;
}

/**
 * Stores the form and returns its id, so that the browser's Back shows it again. Undefined if the form is empty,
 * because the address then describes it completely.
 */
export async function storeForm(
  client: ApiClient,
  form: PublishForm,
  place: PublishAddress,
  timezone: string,
): Promise<string | undefined> {
  const kept = await storedFormOf(client, form, place, timezone);
  const { id } = await client.send(savePublishDraft, { body: { ...kept, in_place: 0 } });
  return id === null ? undefined : String(id);
}

/** Stores the form as a draft, over its earlier state. */
export const storeDraft = async (client: ApiClient, form: PublishForm, place: PublishAddress, timezone: string) =>
  client.ask(savePublishDraft, { body: { ...(await storedFormOf(client, form, place, timezone)), in_place: 1 } });

const storedFormOf = async (client: ApiClient, form: PublishForm, place: PublishAddress, timezone: string) => ({
  form: formText(form),
  key: form.submit_key || crypto.randomUUID(),
  name: form.name,
  course_basis_id: Number(form.course_basis_id) || 0,
  question_count: form.questions.length,
  is_empty: ((await isEmpty(client, form, place, timezone)) ? 1 : 0) as 0 | 1,
  address: publish.href({ ...place, draft: undefined }).slice(0, 1000),
});

/** True if the form has no questions and equals the form that its address describes. */
async function isEmpty(
  client: ApiClient,
  form: PublishForm,
  place: PublishAddress,
  timezone: string,
): Promise<boolean> {
  if (form.questions.length > 0) return false;
  // The lesson or course of the address may not exist any more. The form then counts as filled in.
  const starting = await loadStartingForm(client, { ...place, draft: undefined }, timezone).catch(() => undefined);
  return starting !== undefined && unsavedContent(starting.form) === unsavedContent(form);
}

// ---- options of the form's fields ------------------------------------------------------------------------

type ChoicesRequest = Pick<PublishForm, 'course_basis_id' | 'publish_scope' | 'child_course_basis_ids'>;

export async function loadChoices(
  client: ApiClient,
  form: ChoicesRequest,
  sessionId: number | undefined,
): Promise<Choices> {
  const courseId = form.course_basis_id;
  const [session, courses] = await Promise.all([
    sessionId ? client.send(showSession, { params: { id: sessionId } }) : null,
    client.send(chooseCourse, { query: { is_create_hw: 1 } }),
  ]);
  const course = session
    ? { id: session.course_id, title: session.course_title, parent_title: '' }
    : (courses.find(({ id }) => String(id) === courseId) ?? null);
  if (!course) return { course: null, children: [], periods: [], classes: [], shared: [], reach: {}, session };
  const course_basis_id = course.id;
  const children = session ? [] : courses.filter(({ parent_id }) => parent_id === course.id);
  const sizeOf = async (publish_scope: 1 | 3) =>
    (await classesIn(client, { course_basis_id, publish_scope })).classes.length;
  const [periods, reached, ofChildren, ofCourse] = await Promise.all([
    client.ask(choosePeriod, { params: { courseId: course.id } }),
    classesIn(client, {
      course_basis_id,
      publish_scope: session ? 3 : form.publish_scope,
      child_course_basis_ids: form.child_course_basis_ids.join(','),
      arrange_id: session?.id,
    }),
    children.length > 0 ? sizeOf(1) : undefined,
    children.length > 0 ? sizeOf(3) : undefined,
  ]);
  return {
    course,
    children,
    periods: periods.ok ? periods.data : [],
    ...reached,
    reach: { 1: ofChildren, 3: ofCourse },
    session,
  };
}

/** Lists the classes of a scope, and the students who are in several of them. Both are empty if the API refuses. */
async function classesIn(client: ApiClient, query: NonNullable<RequestOf<typeof publishClasses>['query']>) {
  const outcome = await client.ask(publishClasses, { query });
  if (!outcome.ok) return { classes: [], shared: [] };
  const { shared } = v.parse(v.fallback(ScopeExtra, { shared: [] }), outcome.extra);
  return { classes: outcome.data, shared };
}

/** Maximum number of texts per call. */
const textsAtOnce = 500;

/** Renders the texts that cannot be shown as plain text. */
export async function loadDisplays(client: ApiClient, texts: readonly string[]): Promise<[string, string][]> {
  const wanted = [...new Set(texts.filter(needsDisplay))];
  const displays: [string, string][] = [];
  for (let start = 0; start < wanted.length; start += textsAtOnce) {
    const batch = wanted.slice(start, start + textsAtOnce);
    const answer = await client.ask(displayTexts, { body: { texts: batch } });
    // If the call fails, the texts are shown as plain text.
    if (answer.ok) for (const [index, text] of batch.entries()) displays.push([text, answer.data[index] ?? '']);
  }
  return displays;
}

export async function loadView(
  client: ApiClient,
  form: PublishForm,
  { arrange_id }: PublishAddress,
  more: Partial<Omit<PublishView, 'form' | 'choices' | 'displays'>> = {},
): Promise<PublishView> {
  const [choices, displays] = await Promise.all([
    loadChoices(client, form, arrange_id),
    loadDisplays(client, textsOf(form)),
  ]);
  return { form, choices, displays, ...more };
}
